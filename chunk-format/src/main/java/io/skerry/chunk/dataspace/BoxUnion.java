package io.skerry.chunk.dataspace;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The union of many boxes: a sweep along the first dimension, at each stop of which the boxes that
 * are there make up a union of one dimension less. Where so many boxes lie beside each other that
 * every stop would look at most of them, the two halves are united instead, so that what covers
 * others makes them disappear early.
 */
public final class BoxUnion {
  /** Stops per box, on average, up to which the sweep is the faster way to unite lines. */
  private static final int STOPS_PER_BOX = 32;

  /** The same where a stop costs a union of planes or more. */
  private static final int STOPS_PER_BOX_IN_SPACE = 12;

  /** Boxes that are never worth halving. */
  private static final int FEW = 16;

  /** From so many dimensions on unions are remembered, and so many of them. */
  private static final int MANY_DIMENSIONS = 5;

  private static final int MOST_KNOWN = 1 << 16;

  private final int rank;

  /** Per box its starts, then its exclusive ends. */
  private final long[] bounds;

  private final SpanBudget budget;

  /**
   * What some boxes make up in the dimensions from one on. In a space of many dimensions the same
   * few boxes are met again and again, at the stops of each dimension above.
   */
  private final Map<Some, SpanTree> known = new HashMap<>();

  /** Boxes by number, in the order of a dimension. */
  private record Some(int d, List<Integer> boxes) {}

  private BoxUnion(int rank, long[] bounds, SpanBudget budget) {
    this.rank = rank;
    this.bounds = bounds;
    this.budget = budget;
  }

  /**
   * The set of all elements of some boxes.
   *
   * @param bounds for each box its starts, then its exclusive ends; no box is empty
   * @param boxes number of boxes; the array may have room for more
   * @throws SpanBudget.Exhausted if that takes more spans than the budget allows
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
   * @param boxes at least one, ascending by their start in this dimension
   */
  private SpanTree build(int[] boxes, int d) {
    if (d == rank - 1) {
      return line(boxes, d);
    }
    if (d > 0 && rank >= MANY_DIMENSIONS && boxes.length <= FEW) {
      Some some = new Some(d, Arrays.stream(boxes).boxed().toList());
      Optional<SpanTree> before = Optional.ofNullable(known.get(some));
      if (before.isEmpty()) {
        before = Optional.of(sweep(boxes, d, stops(boxes, d)));
        if (known.size() < MOST_KNOWN) {
          known.put(some, before.get());
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

  /** Where boxes start or end, ascending. */
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
    long met = 0;
    for (int box : boxes) {
      met += Arrays.binarySearch(stops, end(box, d)) - Arrays.binarySearch(stops, start(box, d));
    }
    return met > atMost * boxes.length;
  }

  private SpanTree sweep(int[] boxes, int d, long[] stops) {
    SpanList out = new SpanList(rank - d, stops.length);
    int[] here = new int[boxes.length];
    int n = 0;
    int next = 0;
    for (int i = 0; i + 1 < stops.length; i++) {
      int stay = 0;
      for (int b = 0; b < n; b++) {
        if (end(here[b], d) > stops[i]) {
          here[stay++] = here[b];
        }
      }
      n = stay;
      for (; next < boxes.length && start(boxes[next], d) == stops[i]; next++) {
        insert(boxes[next], here, n++, d + 1);
      }
      if (n > 0) {
        out.add(stops[i], stops[i + 1], build(Arrays.copyOf(here, n), d + 1));
      }
    }
    return budget.charge(out.build());
  }

  /** Puts a box where it belongs among those that ascend by their start in a dimension. */
  private void insert(int box, int[] here, int n, int d) {
    int low = 0;
    int high = n;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (start(here[middle], d) <= start(box, d)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(here, low, here, low + 1, n - low);
    here[low] = box;
  }
}
