package io.skerry.chunk.dataspace;

/**
 * Converts between a {@link RunSet} in a box of given sizes and its {@link SpanTree}, in one pass.
 */
public final class RunSetSpans {
  private final RunSet runs;
  private final int rank;

  /** Coordinates of the first element of the box. */
  private final long[] origin;

  /**
   * For each dimension, the number of elements that share the coordinates up to and including that
   * dimension.
   */
  private final long[] under;

  /**
   * For each dimension, the set of all elements of the box in that dimension and all later ones.
   */
  private final SpanTree[] full;

  private int run;

  private RunSetSpans(RunSet runs, long[] sizes, long[] origin) {
    this.runs = runs;
    this.origin = origin;
    this.rank = sizes.length;
    this.under = new long[rank];
    this.full = new SpanTree[rank + 1];
    full[rank] = SpanTree.POINT;
    long product = 1;
    for (int d = rank - 1; d >= 0; d--) {
      under[d] = product;
      product = Math.multiplyExact(product, sizes[d]);
      full[d] = new SpanList(rank - d).add(origin[d], origin[d] + sizes[d], full[d + 1]).build();
    }
    if (runs.bound() > product) {
      throw new IllegalArgumentException(
          "runs reach outside the box: bound=" + runs.bound() + " elements=" + product);
    }
  }

  public static SpanTree of(RunSet runs, long[] sizes) {
    return of(runs, sizes, new long[sizes.length]);
  }

  /**
   * Returns the tree of a set in a box with the given origin.
   *
   * @throws IllegalArgumentException if an element is outside the box
   */
  public static SpanTree of(RunSet runs, long[] sizes, long[] origin) {
    if (runs.isEmpty()) {
      return SpanTree.EMPTY;
    }
    RunSetSpans tree = new RunSetSpans(runs, sizes, origin);
    return tree.level(0, 0, Long.MAX_VALUE);
  }

  /**
   * Returns the row-major indices of the elements of a tree in a box of the given sizes at the
   * origin. The box must contain all of the elements.
   */
  public static RunSet runs(SpanTree tree, long[] sizes) {
    RunSet.Builder out = new RunSet.Builder();
    if (!tree.isEmpty()) {
      long[] under = new long[sizes.length];
      long product = 1;
      for (int d = sizes.length - 1; d >= 0; d--) {
        under[d] = product;
        product = Math.multiplyExact(product, sizes[d]);
      }
      addRuns(tree, under, 0, 0, out);
    }
    return out.build();
  }

  private static void addRuns(SpanTree tree, long[] under, int d, long base, RunSet.Builder out) {
    for (int i = 0; i < tree.spans(); i++) {
      SpanTree down = tree.child(i);
      if (down.count() == under[d]) {
        out.add(base + tree.lo(i) * under[d], base + tree.hi(i) * under[d]);
        continue;
      }
      for (long c = tree.lo(i); c < tree.hi(i); c++) {
        addRuns(down, under, d + 1, base + c * under[d], out);
      }
    }
  }

  /**
   * Returns the node for the elements whose row-major indices are at least {@code base} and less
   * than {@code limit}, and advances past their runs.
   */
  private SpanTree level(int d, long base, long limit) {
    SpanList out = new SpanList(rank - d);
    long size = under[d];
    long at = Math.max(runs.start(run), base);
    while (at < limit) {
      long row = (at - base) / size;
      long rowStart = base + row * size;
      long end = Math.min(runs.end(run), limit);
      if (at == rowStart && end - at >= size) {
        long rows = (end - at) / size;
        out.add(origin[d] + row, origin[d] + row + rows, full[d + 1]);
        at += rows * size;
      } else {
        out.add(origin[d] + row, origin[d] + row + 1, level(d + 1, rowStart, rowStart + size));
        at = rowStart + size;
      }
      while (run < runs.runs() && runs.end(run) <= at) {
        run++;
      }
      if (run == runs.runs()) {
        break;
      }
      at = Math.max(at, runs.start(run));
    }
    return out.build();
  }
}
