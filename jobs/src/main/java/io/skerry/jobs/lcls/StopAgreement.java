package io.skerry.jobs.lcls;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.util.function.BooleanSupplier;

/**
 * Agrees on the batch after which all ranks stop. A signal reaches the ranks at different times,
 * but all ranks must stop after the same batch.
 *
 * @param ranks the communicator of the ranks
 * @param asked a function that returns true if this rank was asked to stop
 */
record StopAgreement(Communicator ranks, BooleanSupplier asked) {
  /**
   * Returns whether any rank was asked to stop. Collective and synchronizing; the result is
   * identical on all ranks.
   */
  boolean isReached() {
    return ranks.allReduce(asked.getAsBoolean() ? 1 : 0, Reduction.MAX) == 1;
  }
}
