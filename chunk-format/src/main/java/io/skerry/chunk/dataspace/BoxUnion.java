package io.skerry.chunk.dataspace;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Computes the union of many boxes with a sweep along the first dimension. The sweep stops at each
 * coordinate where a box starts or ends; there, the union of the boxes that contain the stop is
 * computed in the remaining dimensions. If the boxes contain many stops on average, they are
 * divided into two halves whose unions are merged, so that boxes covered by others are removed
 * early.
 */
public final class BoxUnion {
  /**
   * Maximum average number of stops within a box at which the sweep is faster than halving, if a
   * union of lines is computed at each stop.
   */
  private static final int STOPS_PER_BOX = 32;

  /**
   * The limit corresponding to {@link #STOPS_PER_BOX} if a union of planes, or of boxes of higher
   * rank, is computed at each stop.
   */
  private static final int STOPS_PER_BOX_IN_SPACE = 12;

  /** Number of boxes up to which the sweep is always used. */
  private static final int FEW = 16;

  /** Minimum number of dimensions for which unions are cached. */
  private static final int MANY_DIMENSIONS = 5;

  /** Maximum number of cached unions. */
  private static final int MOST_KNOWN = 1 << 16;

  private final int rank;

  /** For each box, its starts followed by its exclusive ends. */
  private final long[] bounds;

  private final SpanBudget budget;

  /**
   * Cached results of {@link #build}. In a space of many dimensions, the same few boxes recur at
   * many stops of every outer dimension.
   */
  private final Map<BuildArguments, SpanTree> known = new HashMap<>();

  /**
   * The arguments of {@link #build}: the indices of boxes, in ascending order of the boxes' starts
   * in dimension {@code d}.
   */
  private record BuildArguments(int d, List<Integer> boxes) {}

  private BoxUnion(int rank, long[] bounds, SpanBudget budget) {
    this.rank = rank;
    this.bounds = bounds;
    this.budget = budget;
  }

  /**
   * Returns the union of the given boxes.
   *
   * @param rank number of dimensions
   * @param bounds the starts of each box followed by its exclusive ends; no box is empty
   * @param boxes number of boxes; the array may be longer
   * @param budget limit on the number of spans to build
   * @throws SpanBudget.Exhausted if the computation builds more spans, including those of
   *     intermediate results, than the budget allows
   */
  public static SpanTree of(int rank, long[] bounds, int boxes, SpanBudget budget) {
    BoxUnion union = new BoxUnion(rank, bounds, budget);
    int[] all = new int[boxes];
    Arrays.setAll(all, i -> i);
    return boxes == 0 ? SpanTree.EMPTY : union.build(union.sorted(all, 0), 0);
  }

  private long start(int box, int d) {
    return bounds[box * 2 * rank + d];
  }

  private long end(int box, int d) {
    return bounds[box * 2 * rank + rank + d];
  }

  private int[] sorted(int[] boxes, int d) {
    SortOrder order = SortOrder.of(Arrays.stream(boxes).mapToLong(box -> start(box, d)).toArray());
    int[] sorted = new int[boxes.length];
    Arrays.setAll(sorted, i -> boxes[order.position(i)]);
    return sorted;
  }

  /**
   * Returns the union of boxes in dimension {@code d} and all later dimensions.
   *
   * @param boxes indices of the boxes, at least one, in ascending order of their starts in
   *     dimension {@code d}
   */
  private SpanTree build(int[] boxes, int d) {
    if (d == rank - 1) {
      return line(boxes, d);
    }
    if (d > 0 && rank >= MANY_DIMENSIONS && boxes.length <= FEW) {
      BuildArguments arguments = new BuildArguments(d, Arrays.stream(boxes).boxed().toList());
      Optional<SpanTree> before = Optional.ofNullable(known.get(arguments));
      if (before.isEmpty()) {
        before = Optional.of(sweep(boxes, d, stops(boxes, d)));
        if (known.size() < MOST_KNOWN) {
          known.put(arguments, before.get());
        }
      }
      return before.get();
    }
    long[] stops = stops(boxes, d);
    if (boxes.length > FEW && manyStops(boxes, d, stops)) {
      int half = boxes.length / 2;
      return SpanMerge.merge(
          SpanMerge.Operation.UNION,
          build(Arrays.copyOf(boxes, half), d),
          build(Arrays.copyOfRange(boxes, half, boxes.length), d),
          budget);
    }
    return sweep(boxes, d, stops);
  }

  private SpanTree line(int[] boxes, int d) {
    SpanList out = new SpanList(1, boxes.length);
    long from = start(boxes[0], d);
    long to = end(boxes[0], d);
    for (int box : boxes) {
      if (start(box, d) > to) {
        out.add(from, to, SpanTree.POINT);
        from = start(box, d);
        to = end(box, d);
      }
      to = Math.max(to, end(box, d));
    }
    return budget.charge(out.add(from, to, SpanTree.POINT).build());
  }

  /** Returns the coordinates at which boxes start or end, in ascending order. */
  private long[] stops(int[] boxes, int d) {
    long[] stops = new long[2 * boxes.length];
    for (int i = 0; i < boxes.length; i++) {
      stops[2 * i] = start(boxes[i], d);
      stops[2 * i + 1] = end(boxes[i], d);
    }
    Arrays.sort(stops);
    int kept = 1;
    for (long stop : stops) {
      if (stop != stops[kept - 1]) {
        stops[kept++] = stop;
      }
    }
    return Arrays.copyOf(stops, kept);
  }

  private boolean manyStops(int[] boxes, int d, long[] stops) {
    long atMost = d == rank - 2 ? STOPS_PER_BOX : STOPS_PER_BOX_IN_SPACE;
    if (stops.length <= atMost) {
      return false;
    }
    long spanned = 0;
    for (int box : boxes) {
      spanned +=
          Arrays.binarySearch(stops, end(box, d)) - Arrays.binarySearch(stops, start(box, d));
    }
    return spanned > atMost * boxes.length;
  }

  private SpanTree sweep(int[] boxes, int d, long[] stops) {
    SpanList out = new SpanList(rank - d, stops.length);
    int[] active = new int[boxes.length];
    int n = 0;
    int next = 0;
    for (int i = 0; i + 1 < stops.length; i++) {
      int remaining = 0;
      for (int b = 0; b < n; b++) {
        if (end(active[b], d) > stops[i]) {
          active[remaining++] = active[b];
        }
      }
      n = remaining;
      for (; next < boxes.length && start(boxes[next], d) == stops[i]; next++) {
        insert(boxes[next], active, n++, d + 1);
      }
      if (n > 0) {
        out.add(stops[i], stops[i + 1], build(Arrays.copyOf(active, n), d + 1));
      }
    }
    return budget.charge(out.build());
  }

  /**
   * Inserts a box into {@code active}, whose first {@code n} boxes are in ascending order of their
   * starts in dimension {@code d}.
   */
  private void insert(int box, int[] active, int n, int d) {
    int low = 0;
    int high = n;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (start(active[middle], d) <= start(box, d)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(active, low, active, low + 1, n - low);
    active[low] = box;
  }
}
