package io.skerry.parallel;

import io.skerry.mpi.AgreedFailure;

/**
 * Reports that the commit of a flush could be neither completed nor undone. All ranks throw it out
 * of the collective call that flushed; from then on, the open file refuses every collective
 * operation except its closing. The next process that opens the file completes the interrupted
 * commit from its journal, or discards it.
 */
public final class CommitException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * Describes a failed commit that has a cause. Local, thread-safe; does not fail.
   *
   * @param message the failed step, with the file
   * @param cause the failure of that step
   */
  public CommitException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Describes a failed commit. Local, thread-safe; does not fail.
   *
   * @param message the failed step, with the file
   */
  public CommitException(String message) {
    super(message);
  }
}
