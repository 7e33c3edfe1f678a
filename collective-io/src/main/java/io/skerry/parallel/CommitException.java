package io.skerry.parallel;

import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;

/**
 * Reports that the commit of a flush could be neither completed nor undone. All ranks throw it from
 * the collective call that flushed; from then on, the open file refuses every collective operation
 * except closing it. The next process that opens the file completes the interrupted commit from its
 * journal, or discards it. Recovery also throws this exception if it cannot finish an interrupted
 * commit, for example because another program has since changed the file.
 */
public final class CommitException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  private final Communicator.RankSet ranks;

  /**
   * Creates an exception with a cause. Local, thread-safe; does not fail.
   *
   * @param message a message that names the failed step and the file
   * @param cause the failure of that step
   * @param ranks the ranks that throw the exception
   */
  public CommitException(String message, Throwable cause, Communicator.RankSet ranks) {
    super(message, cause);
    this.ranks = ranks;
  }

  /**
   * Creates an exception that only this rank throws, without a cause. Local, thread-safe; does not
   * fail.
   *
   * @param message a message that names the failed step and the file
   */
  public CommitException(String message) {
    super(message);
    this.ranks = Communicator.RankSet.of(1);
  }

  @Override
  public Communicator.RankSet agreedRanks() {
    return ranks;
  }
}
