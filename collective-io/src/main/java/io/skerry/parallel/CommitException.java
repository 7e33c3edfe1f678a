package io.skerry.parallel;

import io.skerry.mpi.AgreedFailure;

/**
 * Reports that the commit of a flush could be neither completed nor undone. All ranks throw it from
 * the collective call that flushed; from then on, the open file refuses every collective operation
 * except closing it. The next process that opens the file completes the interrupted commit from its
 * journal, or discards it. Recovery also throws this exception if it cannot finish an interrupted
 * commit, for example because another program has since changed the file.
 */
public final class CommitException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a cause. Local, thread-safe; does not fail.
   *
   * @param message a message that names the failed step and the file
   * @param cause the failure of that step
   */
  public CommitException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Creates an exception without a cause. Local, thread-safe; does not fail.
   *
   * @param message a message that names the failed step and the file
   */
  public CommitException(String message) {
    super(message);
  }
}
