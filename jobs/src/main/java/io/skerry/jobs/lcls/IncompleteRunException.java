package io.skerry.jobs.lcls;

import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;

/**
 * Thrown on all ranks if they agree that a run has failed and if this run or a run that it
 * continues has stored frames.
 */
final class IncompleteRunException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  IncompleteRunException(RuntimeException cause, long stored, long frames) {
    super(
        "%s; framesDone=%d frames=%d: the same command with --resume continues"
            .formatted(cause.getMessage(), stored, frames),
        cause);
  }

  @Override
  public Communicator.RankSet agreedRanks() {
    return getCause() instanceof AgreedFailure cause
        ? cause.agreedRanks()
        : Communicator.RankSet.of(1);
  }
}
