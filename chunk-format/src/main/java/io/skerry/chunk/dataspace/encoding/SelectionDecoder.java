package io.skerry.chunk.dataspace.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.RunMerge;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.RunSetSpans;
import io.skerry.chunk.dataspace.SpanBudget;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Converts an encoded selection to a {@link Selection} or a {@link RunSet} and checks its
 * coordinates.
 */
final class SelectionDecoder {
  /**
   * Total number of rows that the blocks of a list may have even if the limit on elements is lower:
   * overlapping blocks can have more rows in total than distinct elements.
   */
  private static final long FEW_ROWS = 1 << 20;

  /**
   * Number of spans that may always be built to compute the union of a list of blocks. The limit on
   * spans prevents a damaged list of crossing blocks from exhausting the memory.
   */
  private static final long FEW_SPANS = 1 << 22;

  /**
   * Number of spans per block that may be built to compute the union of a list of blocks. The limit
   * on spans is the greater of this number times the number of blocks and {@link #FEW_SPANS}.
   */
  private static final long SPANS_PER_BLOCK = 128;

  private final ByteReader in;

  SelectionDecoder(ByteReader in) {
    this.in = in;
  }

  /** Converts an encoded selection to a selection. Points keep their order. */
  Selection selection(EncodedSelection raw) {
    return switch (raw) {
      case EncodedSelection.None _ -> Selection.none();
      case EncodedSelection.All _ -> Selection.all();
      case EncodedSelection.Regular(Hyperslab slab) -> SelectionSets.simplest(slab);
      case EncodedSelection.Points(int rank, long n, CoordinateArray list) -> {
        if (n * rank > Integer.MAX_VALUE - 8) {
          throw in.fault("coordinates of a point list", "at most 2^31-9", n * rank);
        }
        long[] flat = new long[(int) n * rank];
        for (int i = 0; i < flat.length; i++) {
          flat[i] = coordinate(list, i, Long.MAX_VALUE);
        }
        yield SelectionSets.points(rank, flat);
      }
      case EncodedSelection.Blocks(int rank, long n, CoordinateArray list) -> {
        List<Box> boxes = new ArrayList<>((int) Math.min(n, FEW_ROWS));
        long[] start = new long[rank];
        long[] end = new long[rank];
        long[] extent = new long[rank];
        Arrays.fill(extent, Long.MAX_VALUE);
        for (long i = 0; i < n; i++) {
          block(list, i, extent, start, end);
          boxes.add(new Box(start, end));
        }
        yield union(boxes);
      }
    };
  }

  private Selection union(List<Box> boxes) {
    long most = Math.max(FEW_SPANS, boxes.size() * SPANS_PER_BLOCK);
    try {
      return SelectionSets.of(SelectionSets.union(boxes, SpanBudget.of(most)));
    } catch (SpanBudget.Exhausted e) {
      throw in.fault("spans of the united blocks", "at most " + most, e.spent());
    }
  }

  /**
   * Converts an encoded selection to a set of elements in a box of the given sizes.
   *
   * @param atMost maximum number of elements
   */
  RunSet set(EncodedSelection raw, long[] sizes, long atMost) {
    RunSet set =
        switch (raw) {
          case EncodedSelection.None _ -> RunSet.empty();
          case EncodedSelection.All _ -> RunSet.range(0, Shape.of(sizes).elements());
          case EncodedSelection.Regular(Hyperslab slab) -> regular(slab, sizes, atMost);
          case EncodedSelection.Points(int rank, long n, CoordinateArray list) -> {
            in.expect("rank of the selection", sizes.length, rank);
            yield points(n, list, sizes);
          }
          case EncodedSelection.Blocks(int rank, long n, CoordinateArray list) -> {
            in.expect("rank of the selection", sizes.length, rank);
            yield blocks(n, list, sizes, atMost);
          }
        };
    if (set.count() > atMost) {
      throw in.fault("selected elements", "at most " + atMost, set.count());
    }
    return set;
  }

  private RunSet regular(Hyperslab slab, long[] sizes, long atMost) {
    in.expect("rank of the selection", sizes.length, slab.dimensions());
    if (slab.isEmpty()) {
      return RunSet.empty();
    }
    if (!slab.isUnlimited()) {
      checkWithin(SelectionSets.bounds(slab), sizes);
    }
    // Check the number before expanding the pattern: a few bytes can encode any number of blocks.
    long elements = SelectionSets.elementsWithin(slab, sizes);
    if (elements > atMost) {
      throw in.fault("selected elements", "at most " + atMost, elements);
    }
    return RunSetSpans.runs(SelectionSets.within(slab, Box.of(Shape.of(sizes))), sizes);
  }

  /** Checks that a box is within the given sizes. */
  void checkWithin(Box box, long[] sizes) {
    for (int d = 0; d < sizes.length; d++) {
      if (box.end(d) > sizes[d]) {
        throw in.fault("coordinate of dimension " + d, "below " + sizes[d], box.end(d) - 1);
      }
    }
  }

  private RunSet points(long n, CoordinateArray list, long[] sizes) {
    if (n > Integer.MAX_VALUE - 8) {
      throw in.fault("points", "at most 2^31-9", n);
    }
    long[] index = new long[(int) n];
    for (int i = 0; i < index.length; i++) {
      long at = 0;
      for (int d = 0; d < sizes.length; d++) {
        at = at * sizes[d] + coordinate(list, (long) i * sizes.length + d, sizes[d]);
      }
      index[i] = at;
    }
    return RunSet.ofIndices(index);
  }

  private RunSet blocks(long n, CoordinateArray list, long[] sizes, long atMost) {
    int rank = sizes.length;
    long[] start = new long[rank];
    long[] end = new long[rank];
    long rows = 0;
    for (long i = 0; i < n; i++) {
      block(list, i, sizes, start, end);
      rows = Math.addExact(rows, rows(start, end, firstWhole(start, end, sizes)));
      if (rows > Math.max(atMost, FEW_ROWS) || rows > Integer.MAX_VALUE - 8) {
        throw in.fault("rows of all blocks", "at most " + Math.max(atMost, FEW_ROWS), rows);
      }
    }
    long[] from = new long[(int) rows];
    long[] to = new long[(int) rows];
    int filled = 0;
    for (long i = 0; i < n; i++) {
      block(list, i, sizes, start, end);
      int whole = firstWhole(start, end, sizes);
      int added = (int) rows(start, end, whole);
      fill(start, end, sizes, whole, from, to, filled, added);
      filled += added;
    }
    return RunMerge.ofRuns(from, to, filled);
  }

  /**
   * Returns the outermost dimension after which the block spans every dimension. The block is
   * therefore contiguous along that dimension.
   */
  private static int firstWhole(long[] start, long[] end, long[] sizes) {
    int d = sizes.length - 1;
    while (d > 0 && start[d] == 0 && end[d] == sizes[d]) {
      d--;
    }
    return d;
  }

  private static long rows(long[] start, long[] end, int whole) {
    long rows = 1;
    for (int d = 0; d < whole; d++) {
      rows = Math.multiplyExact(rows, end[d] - start[d]);
    }
    return rows;
  }

  private static void fill(
      long[] start,
      long[] end,
      long[] sizes,
      int whole,
      long[] from,
      long[] to,
      int first,
      int rows) {
    long[] at = start.clone();
    long length = end[whole] - start[whole];
    for (int d = whole + 1; d < sizes.length; d++) {
      length *= sizes[d];
    }
    for (int row = first; row < first + rows; row++) {
      long index = 0;
      for (int d = 0; d < sizes.length; d++) {
        index = index * sizes[d] + at[d];
      }
      from[row] = index;
      to[row] = index + length;
      for (int d = whole - 1; d >= 0; d--) {
        if (++at[d] < end[d]) {
          break;
        }
        at[d] = start[d];
      }
    }
  }

  /** Decodes a block and converts its last elements to exclusive ends. */
  private void block(CoordinateArray list, long i, long[] sizes, long[] start, long[] end) {
    int rank = sizes.length;
    for (int d = 0; d < rank; d++) {
      start[d] = coordinate(list, i * 2 * rank + d, sizes[d]);
      end[d] = coordinate(list, i * 2 * rank + rank + d, sizes[d]) + 1;
      if (end[d] <= start[d]) {
        throw in.fault(
            "last element of block " + i + " in dimension " + d,
            "at least the first " + start[d],
            end[d] - 1);
      }
    }
  }

  private long coordinate(CoordinateArray list, long i, long size) {
    long coordinate = list.get(i);
    if (coordinate < 0 || coordinate >= size) {
      throw in.fault(
          "coordinate in a selection list", "below " + size, Long.toUnsignedString(coordinate));
    }
    return coordinate;
  }
}
