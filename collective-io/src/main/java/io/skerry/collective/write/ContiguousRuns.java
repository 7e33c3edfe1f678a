package io.skerry.collective.write;

import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The runs of bytes that one rank writes to a contiguous block, with their positions in the packed
 * values. If a point selection contains an element several times, only its last value is written.
 *
 * @param runs the runs, disjoint and in ascending order of their offsets in the block
 */
record ContiguousRuns(List<Run> runs) {
  /**
   * Bytes that are contiguous in the file and in the values.
   *
   * @param offset the offset of the first byte in the block
   * @param bytes the number of bytes in the file
   * @param from the offset of the first byte in the packed values, as if these had the file
   *     datatype
   */
  record Run(long offset, long bytes, long from) {
    /** Returns the offset after the last byte in the block. */
    long end() {
      return offset + bytes;
    }
  }

  /** Returns the runs of the selected elements of a part. */
  static ContiguousRuns of(ContiguousDataset.Part part, Shape shape, long elementSize) {
    List<Run> runs = new ArrayList<>();
    long[] from = {0};
    part.selection()
        .forEachRun(
            shape,
            (coordinates, length) -> {
              long index = 0;
              for (int i = 0; i < shape.rank(); i++) {
                index = index * shape.extent(i) + coordinates[i];
              }
              append(runs, new Run(index * elementSize, length * elementSize, from[0]));
              from[0] += length * elementSize;
            });
    return new ContiguousRuns(ascends(runs) ? runs : sorted(runs, elementSize));
  }

  /** Appends a run, or extends the last run if the new run directly follows it in the block. */
  private static void append(List<Run> runs, Run next) {
    if (!runs.isEmpty()) {
      Run last = runs.getLast();
      if (last.end() == next.offset) {
        runs.set(runs.size() - 1, new Run(last.offset, last.bytes + next.bytes, last.from));
        return;
      }
    }
    runs.add(next);
  }

  private static boolean ascends(List<Run> runs) {
    for (int i = 1; i < runs.size(); i++) {
      if (runs.get(i).offset < runs.get(i - 1).end()) {
        return false;
      }
    }
    return true;
  }

  private static List<Run> sorted(List<Run> runs, long elementSize) {
    List<Run> elements = new ArrayList<>();
    for (Run run : runs) {
      for (long at = 0; at < run.bytes; at += elementSize) {
        elements.add(new Run(run.offset + at, elementSize, run.from + at));
      }
    }
    elements.sort(Comparator.comparingLong(Run::offset).thenComparingLong(Run::from));
    List<Run> last = new ArrayList<>();
    for (Run run : elements) {
      if (!last.isEmpty() && last.getLast().offset == run.offset) {
        last.removeLast();
      }
      last.add(run);
    }
    return last;
  }

  long totalBytes() {
    return runs.stream().mapToLong(Run::bytes).sum();
  }

  /** Cuts the runs into parts of at most {@code limit} bytes each. */
  List<ContiguousRuns> cut(long limit) {
    List<ContiguousRuns> parts = new ArrayList<>();
    List<Run> part = new ArrayList<>();
    long free = limit;
    for (Run run : runs) {
      long done = 0;
      while (done < run.bytes) {
        long bytes = Math.min(free, run.bytes - done);
        part.add(new Run(run.offset + done, bytes, run.from + done));
        done += bytes;
        free -= bytes;
        if (free == 0) {
          parts.add(new ContiguousRuns(part));
          part = new ArrayList<>();
          free = limit;
        }
      }
    }
    if (!part.isEmpty()) {
      parts.add(new ContiguousRuns(part));
    }
    return parts;
  }

  /**
   * Groups short runs with short gaps into windows that are written with their gaps: the bytes from
   * the first run to the last one are read, changed, and written by one call each. The caller must
   * ensure that nothing else changes the block at the same time, since gaps are written with their
   * old bytes. The sieve buffer of HDF5 ({@code H5Pset_sieve_buf_size}) has the same purpose.
   *
   * @param gap the maximum gap between two runs, in bytes, and the maximum length of two runs with
   *     a gap between them
   * @param limit the maximum number of bytes of a window, gaps included; no run may be longer
   */
  List<ContiguousRuns> windows(long gap, long limit) {
    List<ContiguousRuns> windows = new ArrayList<>();
    int first = 0;
    for (int next = 1; next <= runs.size(); next++) {
      if (next == runs.size()
          || runs.get(next).end() - runs.get(first).offset > limit
          || !areNear(runs.get(next - 1), runs.get(next), gap)) {
        windows.add(new ContiguousRuns(runs.subList(first, next)));
        first = next;
      }
    }
    return windows;
  }

  private static boolean areNear(Run last, Run next, long gap) {
    long between = next.offset - last.end();
    return between == 0 || between <= gap && Math.max(last.bytes, next.bytes) <= gap;
  }

  /** Returns the number of bytes from the first run to the last one. */
  long span() {
    return runs.getLast().end() - runs.getFirst().offset;
  }
}
