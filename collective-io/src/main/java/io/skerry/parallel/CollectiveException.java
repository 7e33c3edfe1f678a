package io.skerry.parallel;

import io.skerry.chunk.text.PrintableText;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import java.util.List;
import java.util.Optional;

/**
 * Reports that a collective operation failed on at least one rank, or that the ranks called
 * different operations. All ranks throw it; unless they called different operations, the message is
 * the same on all of them. Unless the method states otherwise, the operation has changed nothing.
 * Earlier writes are kept, and the communicator remains usable, unless the message states that the
 * file was abandoned; unflushed changes to the file are then lost. Immutable.
 */
public final class CollectiveException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  private final Operation operation;
  private final List<Integer> failingRanks;
  private final String reason;
  private final Communicator.RankSet ranks;

  /**
   * Creates an exception. Local, thread-safe; does not fail.
   *
   * @param operation the operation that failed
   * @param subject the file and the object on which the operation failed
   * @param failingRanks the ranks that failed or whose calls differ, ascending
   * @param ranks the ranks that throw the exception
   * @param reason the message of the lowest failing rank, or the description of the different calls
   * @param localCause the failure of this rank; empty if this rank did not fail
   */
  public CollectiveException(
      Operation operation,
      String subject,
      List<Integer> failingRanks,
      Communicator.RankSet ranks,
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
    this.ranks = ranks;
  }

  @Override
  public Communicator.RankSet agreedRanks() {
    return ranks;
  }

  /** Returns the operation that failed. Local, thread-safe; does not fail. */
  public Operation operation() {
    return operation;
  }

  /**
   * Returns the ranks that failed or whose calls differ, ascending, as an immutable list. Local,
   * thread-safe; does not fail.
   */
  public List<Integer> failingRanks() {
    return failingRanks;
  }

  /**
   * Returns the message of the lowest failing rank, or the description of the different calls.
   * Local, thread-safe; does not fail.
   */
  public String reason() {
    return reason;
  }

  private static String shortened(List<Integer> ranks) {
    return ranks.size() <= 16 ? ranks.toString() : ranks.subList(0, 16) + "… of " + ranks.size();
  }
}
