package io.skerry.jobs.run;

import io.skerry.mpi.AgreedFailure;

/**
 * What keeps a command from being done, for the person who gave it: bad input, an output that
 * cannot be written, a rank that failed. All ranks throw it at the same point.
 */
public final class JobException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  public JobException(String message) {
    super(message);
  }

  public JobException(String message, Throwable cause) {
    super(message, cause);
  }
}
