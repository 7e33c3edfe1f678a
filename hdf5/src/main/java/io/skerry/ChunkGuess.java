package io.skerry;

import io.skerry.selection.Shape;
import java.util.Arrays;

/**
 * Chooses the chunk shape of a dataset whose specification has none. A chunk should be large enough
 * to justify an index entry and an I/O call, and small enough that decoding all of it to read a
 * single element is acceptable. The target size is 64 KiB for datasets of up to 1 MiB. It doubles
 * with each tenfold increase in the size of the dataset, but does not exceed 1 MiB. Dimensions are
 * halved until the chunk is not larger than the target or has only one element.
 *
 * <p>Sources: "Chunking in HDF5" (The HDF Group), section "Directions for Future Development",
 * which suggests such an automatic choice; h5py makes a similar choice.
 */
final class ChunkGuess {
  private static final long LEAST = 1 << 16;
  private static final long MOST = 1 << 20;

  /** The size, in elements, that is assumed for an unlimited dimension of size 0. */
  private static final long GROWING = 1024;

  private ChunkGuess() {}

  static long[] of(Shape shape, int elementSize, DatasetSpec.AccessPattern access) {
    int rank = shape.rank();
    long[] chunk = new long[rank];
    double bytes = elementSize;
    for (int i = 0; i < rank; i++) {
      boolean grows = shape.maximum(i) == Shape.UNLIMITED;
      long extent = grows && shape.extent(i) == 0 ? GROWING : shape.extent(i);
      chunk[i] = Math.clamp(extent, 1, 0xffffffffL);
      bytes *= chunk[i];
    }
    double aim = LEAST * Math.pow(2, Math.max(0, Math.log10(bytes / MOST)));
    aim = Math.min(MOST, aim);
    // The floating-point size is inexact, so it cannot show whether only one element is left.
    for (int turn = 0; bytes > aim && Arrays.stream(chunk).anyMatch(n -> n > 1); turn++) {
      int i = dimension(chunk, access, turn);
      bytes /= chunk[i];
      chunk[i] = (chunk[i] + 1) / 2;
      bytes *= chunk[i];
    }
    return chunk;
  }

  private static int dimension(long[] chunk, DatasetSpec.AccessPattern access, int turn) {
    int rank = chunk.length;
    for (int step = 0; step < rank; step++) {
      int i =
          switch (access) {
            case BLOCKS -> (turn + step) % rank;
            case ROWS -> step;
            case COLUMNS -> rank - 1 - step;
          };
      if (chunk[i] > 1) {
        return i;
      }
    }
    throw new IllegalStateException("nothing left to halve");
  }
}
