package io.skerry.integration.matrix.pattern;

/** Access patterns in which the last chunk of each row of chunks extends beyond the extent. */
public final class EdgePatterns {
  private static final long ROWS = PlanePatterns.ROWS;

  /** The number of columns of a chunk. */
  private static final long COLUMNS = 3;

  private EdgePatterns() {}

  private static long[] extent(int n) {
    return new long[] {ROWS * n, COLUMNS * 2 + 1};
  }

  public static Scenario separate(int n) {
    long[] extent = extent(n);
    return Scenario.fixed(
        extent,
        new long[] {ROWS, COLUMNS},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.block(
                        extent,
                        new long[] {ROWS * rank, extent[1] - COLUMNS},
                        new long[] {ROWS, COLUMNS}))));
  }

  public static Scenario shared(int n) {
    long[] extent = extent(n);
    return Scenario.fixed(
        extent,
        new long[] {n, COLUMNS},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.slab(
                        extent,
                        new long[] {rank, extent[1] - COLUMNS},
                        new long[] {n, 1},
                        new long[] {ROWS, 1},
                        new long[] {1, COLUMNS}))));
  }

  /** Returns a pattern with partial chunks in both dimensions. */
  public static Scenario parts(int n) {
    long[] extent = {ROWS * n - 1, COLUMNS * 2 + 2};
    return Scenario.fixed(
        extent,
        new long[] {ROWS, COLUMNS},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.block(
                        extent, new long[] {ROWS * rank + 1, extent[1] - 1}, new long[] {2, 1}))));
  }
}
