package io.skerry.parallel;

import io.skerry.exception.PrintableText;
import io.skerry.mpi.AgreedFailure;
import java.util.List;
import java.util.Optional;

/**
 * A collective operation failed on at least one rank; the same exception is thrown on all. Nothing
 * was published: what was written before is still there, and the communicator is usable.
 */
public final class CollectiveException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  private final Operation operation;
  private final transient List<Integer> failingRanks;
  private final String reason;

  /**
   * @param operation what was being done
   * @param subject file and object it was done to
   * @param failingRanks ranks on which it failed, ascending
   * @param reason the message of the lowest failing rank
   * @param localCause what happened on this rank, if it is one of them
   */
  public CollectiveException(
      Operation operation,
      String subject,
      List<Integer> failingRanks,
      String reason,
      Optional<? extends Throwable> localCause) {
    super(
        PrintableText.text(
            reason
                + ": operation="
                + operation
                + " ranks="
                + shortened(failingRanks)
                + " "
                + subject),
        localCause.orElse(null));
    this.operation = operation;
    this.failingRanks = List.copyOf(failingRanks);
    this.reason = reason;
  }

  /** What was being done. */
  public Operation operation() {
    return operation;
  }

  /** The ranks on which it failed. */
  public List<Integer> failingRanks() {
    return failingRanks;
  }

  /** The message of the lowest failing rank. */
  public String reason() {
    return reason;
  }

  private static String shortened(List<Integer> ranks) {
    return ranks.size() <= 16 ? ranks.toString() : ranks.subList(0, 16) + "… of " + ranks.size();
  }
}
