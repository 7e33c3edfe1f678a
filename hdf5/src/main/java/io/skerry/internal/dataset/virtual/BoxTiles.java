package io.skerry.internal.dataset.virtual;

import java.util.Arrays;

/**
 * Orders items so that neighbors in the order are neighbors in space: sorts them by the centers of
 * their boxes in one dimension, divides them into slabs, and continues with each slab in the next
 * dimension.
 */
final class BoxTiles {
  private final int leaf;

  /** The centers of the items, for each dimension in which they differ. */
  private final long[][] centers;

  /** For each item in the new order, its position in the old order. */
  private final int[] order;

  private final int[] merged;

  private BoxTiles(long[][] centers, int[] order, int leaf) {
    this.centers = centers;
    this.order = order;
    this.merged = new int[order.length];
    this.leaf = leaf;
  }

  /**
   * Returns the items in their new order.
   *
   * @param leaf the number of items in a leaf of the tree
   */
  static int[] ordered(int[] items, int rank, BoxTree.Boxes boxes, int leaf) {
    long[][] centers = new long[rank][items.length];
    long[] box = new long[2 * rank];
    int[] order = new int[items.length];
    for (int i = 0; i < items.length; i++) {
      order[i] = i;
      boxes.read(items[i], box);
      for (int d = 0; d < rank; d++) {
        centers[d][i] = box[d] + (box[rank + d] - box[d]) / 2;
      }
    }
    long[][] different =
        Arrays.stream(centers)
            .filter(along -> Arrays.stream(along).anyMatch(center -> center != along[0]))
            .toArray(long[][]::new);
    if (different.length > 0) {
      new BoxTiles(different, order, leaf).tile(0, items.length, 0);
    }
    int[] ordered = new int[items.length];
    for (int i = 0; i < items.length; i++) {
      ordered[i] = items[order[i]];
    }
    return ordered;
  }

  /**
   * Orders a range of the items.
   *
   * @param dimension the dimension to sort by, as an index of {@link #centers}
   */
  private void tile(int from, int to, int dimension) {
    sort(from, to, centers[dimension]);
    int left = centers.length - dimension;
    if (left == 1 || to - from <= leaf) {
      return;
    }
    int leaves = Math.ceilDiv(to - from, leaf);
    int slabs = (int) Math.ceil(Math.pow(leaves, 1.0 / left));
    int each = Math.ceilDiv(leaves, slabs) * leaf;
    for (int slab = from; slab < to; slab += each) {
      tile(slab, Math.min(to, slab + each), dimension + 1);
    }
  }

  /** Sorts a range by merging. Takes linear time if the range is already sorted. */
  private void sort(int from, int to, long[] keys) {
    if (to - from < 2) {
      return;
    }
    int middle = from + (to - from) / 2;
    sort(from, middle, keys);
    sort(middle, to, keys);
    if (keys[order[middle - 1]] <= keys[order[middle]]) {
      return;
    }
    System.arraycopy(order, from, merged, from, middle - from);
    int left = from;
    int right = middle;
    for (int at = from; left < middle; at++) {
      if (right == to || keys[merged[left]] <= keys[order[right]]) {
        order[at] = merged[left];
        left++;
      } else {
        order[at] = order[right];
        right++;
      }
    }
  }
}
