package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * A list of disjoint boxes that together contain exactly the elements of a set, in row-major order
 * of their first elements. {@link #inTreeOrder} returns the boxes into which a {@link SpanTree}
 * divides the set; {@link #of} also joins boxes that are adjacent in one dimension and have equal
 * bounds in all others.
 */
public final class BoxCover {
  /** Limit on the number of boxes for which memory is allocated in advance. */
  private static final int MOST_EXPECTED = 1 << 16;

  private final int rank;

  /** For each box, its starts followed by its exclusive ends. */
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

  /**
   * Returns the boxes exactly as the tree contains them, in the order and with the divisions that
   * the HDF5 library uses.
   */
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

  /** Joins boxes that are adjacent in dimension {@code d} and have equal bounds in all others. */
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
