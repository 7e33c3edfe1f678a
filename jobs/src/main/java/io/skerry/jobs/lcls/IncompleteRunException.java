package io.skerry.jobs.lcls;

import io.skerry.mpi.AgreedFailure;

/** A run that has failed after some of its frames were stored. All ranks throw it. */
final class IncompleteRunException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  IncompleteRunException(RuntimeException cause, long stored, long frames) {
    super(
        "%s; framesDone=%d frames=%d: the same command with --resume goes on"
            .formatted(cause.getMessage(), stored, frames),
        cause);
  }
}
