package io.skerry.internal.dataset.virtual;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A packed R-tree over the bounding boxes of numbered items. Only the boxes of nodes are stored;
 * the boxes of items are read again from their source, so that an item occupies only four bytes
 * plus its share of a node. Immutable.
 *
 * <p>Source: Leutenegger, Lopez, Edgington, "STR: A Simple and Efficient Algorithm for R-Tree
 * Packing", ICDE 1997.
 */
final class BoxTree {
  private static final int FANOUT = 16;

  /** The items in the order of the leaves; each leaf but the last has {@link #FANOUT} items. */
  private final int[] items;

  private final int rank;

  /** The boxes of the nodes by level, from the leaves to the root: starts, then ends. */
  private final long[][] levels;

  private BoxTree(int[] items, int rank, long[][] levels) {
    this.items = items;
    this.rank = rank;
    this.levels = levels;
  }

  /** Provides the boxes of items. */
  @FunctionalInterface
  interface Boxes {
    /**
     * Reads the box of an item.
     *
     * @param box the array to fill with the first coordinates, followed by the exclusive ends
     */
    void read(int item, long[] box);
  }

  /** Selects boxes. A filter that accepts a box must accept every box that encloses it. */
  @FunctionalInterface
  interface Filter {
    /**
     * Returns whether a box is accepted.
     *
     * @param boxes an array with the first coordinates of the box, followed by its exclusive ends
     * @param at the index of the first coordinate
     */
    boolean accepts(long[] boxes, int at);
  }

  /**
   * Builds a tree.
   *
   * @param items the numbers of the items
   * @param rank the number of dimensions
   */
  static BoxTree of(int[] items, int rank, Boxes boxes) {
    int[] ordered = BoxTiles.ordered(items, rank, boxes, FANOUT);
    long[] box = new long[2 * rank];
    long[] leaves = none(Math.ceilDiv(items.length, FANOUT), rank);
    for (int i = 0; i < items.length; i++) {
      boxes.read(ordered[i], box);
      extend(leaves, i / FANOUT, box, 0, rank);
    }
    int depth = 1;
    for (int nodes = leaves.length / (2 * rank); nodes > 1; nodes = Math.ceilDiv(nodes, FANOUT)) {
      depth++;
    }
    long[][] levels = new long[depth][];
    levels[0] = leaves;
    for (int level = 1; level < depth; level++) {
      int nodes = levels[level - 1].length / (2 * rank);
      levels[level] = none(Math.ceilDiv(nodes, FANOUT), rank);
      for (int node = 0; node < nodes; node++) {
        extend(levels[level], node / FANOUT, levels[level - 1], node * 2 * rank, rank);
      }
    }
    return new BoxTree(ordered, rank, levels);
  }

  /** Returns empty boxes, to be extended by the boxes of their items. */
  private static long[] none(int nodes, int rank) {
    long[] boxes = new long[nodes * 2 * rank];
    for (int at = 0; at < boxes.length; at += 2 * rank) {
      Arrays.fill(boxes, at, at + rank, Long.MAX_VALUE);
    }
    return boxes;
  }

  private static void extend(long[] nodes, int node, long[] boxes, int at, int rank) {
    int to = node * 2 * rank;
    for (int d = 0; d < rank; d++) {
      nodes[to + d] = Math.min(nodes[to + d], boxes[at + d]);
      nodes[to + rank + d] = Math.max(nodes[to + rank + d], boxes[at + rank + d]);
    }
  }

  /**
   * Visits the items whose boxes a filter accepts, in no particular order.
   *
   * @param boxes the boxes of the items from which the tree was built
   */
  void search(Filter filter, Boxes boxes, IntConsumer visitor) {
    if (items.length > 0) {
      search(levels.length - 1, 0, filter, boxes, visitor);
    }
  }

  private void search(int level, int node, Filter filter, Boxes boxes, IntConsumer visitor) {
    if (!filter.accepts(levels[level], node * 2 * rank)) {
      return;
    }
    int first = node * FANOUT;
    if (level > 0) {
      int end = Math.min(first + FANOUT, levels[level - 1].length / (2 * rank));
      for (int child = first; child < end; child++) {
        search(level - 1, child, filter, boxes, visitor);
      }
      return;
    }
    long[] box = new long[2 * rank];
    for (int i = first; i < Math.min(first + FANOUT, items.length); i++) {
      boxes.read(items[i], box);
      if (filter.accepts(box, 0)) {
        visitor.accept(items[i]);
      }
    }
  }
}
