package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * Few disjoint boxes that make up a set, in row-major order of their first elements. The boxes of a
 * {@link SpanTree} break wherever anything else begins or ends in the same rows; here a box is
 * continued for as long as it goes on unchanged, whatever lies beside it.
 */
public final class BoxCover {
  /** Boxes that get their room before they come. */
  private static final int MOST_EXPECTED = 1 << 16;

  private final int rank;

  /** Per box its starts, then its exclusive ends. */
  private long[] bounds;

  private int boxes;

  private BoxCover(int rank, int capacity) {
    this.rank = rank;
    this.bounds = new long[Math.multiplyExact(2 * rank, Math.max(4, capacity))];
  }

  public static BoxCover of(SpanTree tree) {
    BoxCover cover = inTreeOrder(tree);
    for (int d = cover.rank - 2; d >= 0; d--) {
      cover.join(d);
    }
    return cover;
  }

  /** The boxes as the tree has them: the order and the cuts of the HDF5 library. */
  public static BoxCover inTreeOrder(SpanTree tree) {
    int expected = (int) Math.min(tree.boxes(), MOST_EXPECTED);
    BoxCover cover = new BoxCover(tree.depth(), expected);
    tree.forEachBox(cover::append);
    return cover;
  }

  private void append(long[] start, long[] end) {
    int at = boxes * 2 * rank;
    if (at == bounds.length) {
      bounds = Arrays.copyOf(bounds, Math.multiplyExact(at, 2));
    }
    System.arraycopy(start, 0, bounds, at, rank);
    System.arraycopy(end, 0, bounds, at + rank, rank);
    boxes++;
  }

  /** Joins boxes that differ in one dimension only and touch there. */
  private void join(int d) {
    int[] table = new int[Math.max(16, Integer.highestOneBit(boxes) * 4)];
    int kept = 0;
    for (int box = 0; box < boxes; box++) {
      int slot = hash(box, d) & table.length - 1;
      while (table[slot] != 0 && !alike(table[slot] - 1, box, d)) {
        slot = slot + 1 & table.length - 1;
      }
      int earlier = table[slot] - 1;
      if (earlier >= 0 && end(earlier, d) == start(box, d)) {
        bounds[earlier * 2 * rank + rank + d] = end(box, d);
      } else {
        System.arraycopy(bounds, box * 2 * rank, bounds, kept * 2 * rank, 2 * rank);
        table[slot] = ++kept;
      }
    }
    boxes = kept;
  }

  private int hash(int box, int except) {
    long mix = 0;
    for (int i = 0; i < 2 * rank; i++) {
      if (i % rank != except) {
        mix = mix * 0x9e3779b97f4a7c15L + bounds[box * 2 * rank + i];
      }
    }
    mix *= 0x9e3779b97f4a7c15L;
    return (int) (mix >>> 32);
  }

  private boolean alike(int a, int b, int except) {
    for (int i = 0; i < 2 * rank; i++) {
      if (i % rank != except && bounds[a * 2 * rank + i] != bounds[b * 2 * rank + i]) {
        return false;
      }
    }
    return true;
  }

  public int size() {
    return boxes;
  }

  public long start(int box, int d) {
    return bounds[box * 2 * rank + d];
  }

  public long end(int box, int d) {
    return bounds[box * 2 * rank + rank + d];
  }
}
