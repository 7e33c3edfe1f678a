package io.skerry.jobs.lcls;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.util.function.BooleanSupplier;

/**
 * When the ranks stop because one of them was asked to: a signal reaches them at different times,
 * but all have to leave off after the same batch.
 *
 * @param asked whether this rank was asked to
 */
record StopAgreement(Communicator ranks, BooleanSupplier asked) {
  /**
   * Whether any rank was asked to stop. Collective, the same on all ranks, and none has the answer
   * before all have come here.
   */
  boolean isReached() {
    return ranks.allReduce(asked.getAsBoolean() ? 1 : 0, Reduction.MAX) == 1;
  }
}
