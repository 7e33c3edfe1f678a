package io.skerry.parallel;

import io.skerry.mpi.AgreedFailure;

/**
 * Reports that the commit of a flush could be neither completed nor undone. The next opening of the
 * file completes or discards the interrupted commit from its journal.
 */
public final class CommitException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the failed step, with the file
   * @param cause the failure behind it
   */
  public CommitException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * @param message the failed step, with the file
   */
  public CommitException(String message) {
    super(message);
  }
}
