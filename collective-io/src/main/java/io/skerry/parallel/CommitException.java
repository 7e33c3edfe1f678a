package io.skerry.parallel;

import io.skerry.mpi.AgreedFailure;

/**
 * The commit of a flush could not be completed or undone here. The file must be opened again; that
 * finishes or discards the interrupted commit from its journal.
 */
public final class CommitException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what failed, with the file
   * @param cause the failure behind it
   */
  public CommitException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * @param message what failed, with the file
   */
  public CommitException(String message) {
    super(message);
  }
}
