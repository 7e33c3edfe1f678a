package io.skerry.chunk.format;

import io.skerry.chunk.dataspace.RunSet;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Copies values between two buffers that are packed according to different run sets. */
final class PackedCopy {
  private PackedCopy() {}

  /**
   * Copies the values of the elements in {@code which} from {@code source} to {@code target}, in
   * one pass over each set.
   *
   * @param which the elements to copy; both other sets contain all of them
   * @param from the elements whose values are packed in {@code source}
   * @param to the elements whose values are packed in {@code target}
   * @param size the size of an element in bytes
   */
  static void copy(
      RunSet which, RunSet from, MemorySegment source, RunSet to, MemorySegment target, int size) {
    int f = 0;
    int t = 0;
    // Packed index minus element index, for the current run of each set.
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

  /**
   * Copies the values of those elements of {@code which} that are in {@code from}.
   *
   * @param which the elements whose values are packed in {@code target}
   * @param from the elements whose values are packed in {@code source}
   * @param size the size of an element in bytes
   * @param missing the function that fills the target from the first element that is not in {@code
   *     from} to the end; it is called at most once, and the values of later elements that are in
   *     {@code from} then overwrite parts of the fill
   */
  static void copyPresent(
      RunSet which,
      RunSet from,
      MemorySegment source,
      MemorySegment target,
      int size,
      Consumer<MemorySegment> missing) {
    boolean complete = true;
    long place = 0;
    int run = 0;
    for (int i = 0; i < which.runs(); i++) {
      long at = which.start(i);
      long end = which.end(i);
      run = from.firstEndingAfter(at, run);
      while (at < end) {
        long next = run < from.runs() ? Math.min(end, Math.max(at, from.start(run))) : end;
        if (next > at && complete) {
          complete = false;
          missing.accept(target.asSlice(place * size));
        }
        place += next - at;
        at = next;
        if (at < end) {
          long length = Math.min(end, from.end(run)) - at;
          long value = from.before(run) + at - from.start(run);
          MemorySegment.copy(source, value * size, target, place * size, length * size);
          place += length;
          at += length;
          run += at == from.end(run) ? 1 : 0;
        }
      }
    }
  }
}
