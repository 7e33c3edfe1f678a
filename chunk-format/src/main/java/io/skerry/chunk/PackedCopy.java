package io.skerry.chunk;

import io.skerry.chunk.space.RunSet;
import java.lang.foreign.MemorySegment;

/**
 * Moves values between two buffers that are packed by different run sets: one bulk copy per run,
 * one pass over each set.
 */
final class PackedCopy {
  private PackedCopy() {}

  /**
   * Copies the values of {@code which}, all of which are in both sets.
   *
   * @param size bytes per element
   */
  static void copy(
      RunSet which, RunSet from, MemorySegment source, RunSet to, MemorySegment target, int size) {
    int f = 0;
    int t = 0;
    // Packed index minus element index, for the run at hand.
    long sourceShift = from.runs() == 0 ? 0 : -from.start(0);
    long targetShift = to.runs() == 0 ? 0 : -to.start(0);
    for (int i = 0; i < which.runs(); i++) {
      long start = which.start(i);
      while (from.end(f) <= start) {
        sourceShift += from.end(f) - from.start(f + 1);
        f++;
      }
      while (to.end(t) <= start) {
        targetShift += to.end(t) - to.start(t + 1);
        t++;
      }
      MemorySegment.copy(
          source,
          (start + sourceShift) * size,
          target,
          (start + targetShift) * size,
          which.length(i) * size);
    }
  }
}
