package io.skerry.jobs.run;

import io.skerry.mpi.AgreedFailure;

/**
 * Thrown if a command cannot be executed, with a message for the user: invalid input, an output
 * that cannot be written, or a failure on a rank. A collective method throws it on all ranks.
 */
public final class JobException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  public JobException(String message) {
    super(message);
  }

  public JobException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public boolean isAgreedAmong(int ranks) {
    return !(getCause() instanceof AgreedFailure cause) || cause.isAgreedAmong(ranks);
  }
}
