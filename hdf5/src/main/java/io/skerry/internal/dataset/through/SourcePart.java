package io.skerry.internal.dataset.through;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The elements of one source that a rank changes.
 *
 * @param file the file of the source
 * @param path the path of the source in its file
 * @param extent the extent of the source
 * @param selection the elements
 * @param places the positions of their values, in the order of the selection
 */
public record SourcePart(
    Found file, String path, Shape extent, Selection selection, PackedRuns places) {
  /** Returns elements of an open source. */
  public static SourcePart of(NativeDataset source, Selection selection, PackedRuns places) {
    return new SourcePart(
        source.file().collective().others().itself(),
        source.path(),
        source.shape(),
        selection,
        places);
  }

  /** Returns this part with its places converted to positions in an enclosing list of values. */
  public SourcePart within(PackedRuns outer) {
    return new SourcePart(file, path, extent, selection, outer.at(places));
  }

  /**
   * Joins parts of the same source. An element in several parts gets its value from the first of
   * these parts.
   */
  static SourcePart joined(List<SourcePart> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    Shape extent = parts.getFirst().extent;
    Coverage covered = new Coverage();
    List<Run> runs = new ArrayList<>();
    parts.forEach(part -> part.collect(covered, runs));
    runs.sort((a, b) -> Long.compare(a.start, b.start));
    List<Box> boxes = new ArrayList<>();
    PackedRuns.Builder places = new PackedRuns.Builder();
    for (Run run : runs) {
      boxes.add(run.box(extent));
      places.append(run.place, run.length);
    }
    SourcePart first = parts.getFirst();
    return new SourcePart(first.file, first.path, extent, Selection.blocks(boxes), places.build());
  }

  /**
   * Consecutive elements in a row of the source.
   *
   * @param start the row-major index of the first element
   * @param place the position of the value of this element
   */
  private record Run(long start, long length, long place) {
    Box box(Shape extent) {
      long[] first = new long[extent.rank()];
      long rest = start;
      for (int d = first.length - 1; d >= 0; d--) {
        first[d] = rest % extent.extent(d);
        rest /= extent.extent(d);
      }
      long[] end = first.clone();
      for (int d = 0; d < end.length; d++) {
        end[d] += d == end.length - 1 ? length : 1;
      }
      return new Box(first, end);
    }
  }

  private void collect(Coverage covered, List<Run> runs) {
    long[] number = {0};
    selection.forEachRun(
        extent,
        (at, length) -> {
          long start = 0;
          for (int d = 0; d < at.length; d++) {
            start = start * extent.extent(d) + at[d];
          }
          long first = start;
          covered.forEachGap(
              first,
              first + length,
              (from, fresh) -> {
                long[] next = {from};
                places.forEachWithin(
                    number[0] + from - first,
                    number[0] + from - first + fresh,
                    (place, some) -> {
                      runs.add(new Run(next[0], some, place));
                      next[0] += some;
                    });
              });
          covered.add(first, first + length);
          number[0] += length;
        });
  }
}
