package io.skerry.jobs.run;

import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;

/**
 * Thrown if a command cannot be executed, with a message for the user: invalid input, an output
 * that cannot be written, or a failure on a rank. Among several ranks, it counts as agreed only if
 * its cause is a failure on which these ranks have agreed, as in a step of an {@link Agreement}.
 * Otherwise, the rank that throws it ends the job.
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
  public Communicator.RankSet agreedRanks() {
    return getCause() instanceof AgreedFailure cause
        ? cause.agreedRanks()
        : Communicator.RankSet.of(1);
  }
}
