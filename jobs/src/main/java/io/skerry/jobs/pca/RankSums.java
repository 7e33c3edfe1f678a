package io.skerry.jobs.pca;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;

/**
 * Sums large arrays over the ranks in place. The arrays are summed piece by piece, so that no
 * second array of the same size is needed. Collective.
 *
 * @param ranks the communicator of the ranks
 */
record RankSums(Communicator ranks) {
  private static final int PIECE = 1 << 20;

  /** Replaces every element by its sum over all ranks. */
  void add(double[] values) {
    add(MemorySegment.ofArray(values), ElementKind.F64);
  }

  /** Replaces every element by its sum over all ranks. */
  void add(int[] values) {
    add(MemorySegment.ofArray(values), ElementKind.I32);
  }

  private void add(MemorySegment values, ElementKind kind) {
    if (ranks.size() == 1) {
      return;
    }
    long piece = Math.min((long) PIECE * kind.bytes(), values.byteSize());
    MemorySegment sums = MemorySegment.ofArray(new byte[(int) piece]);
    for (long at = 0; at < values.byteSize(); at += piece) {
      long bytes = Math.min(piece, values.byteSize() - at);
      MemorySegment sum = sums.asSlice(0, bytes);
      ranks.allReduce(values.asSlice(at, bytes), sum, kind, Reduction.SUM);
      values.asSlice(at, bytes).copyFrom(sum);
    }
  }

  /** Returns the sum of one value over all ranks. */
  double of(double value) {
    double[] sum = {value};
    add(sum);
    return sum[0];
  }
}
