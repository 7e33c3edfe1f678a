package io.skerry.jobs.lcls;

import io.skerry.mpi.AgreedFailure;

/** Thrown on all ranks if a run fails after some of its frames have been stored. */
final class IncompleteRunException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  IncompleteRunException(RuntimeException cause, long stored, long frames) {
    super(
        "%s; framesDone=%d frames=%d: the same command with --resume continues"
            .formatted(cause.getMessage(), stored, frames),
        cause);
  }
}
