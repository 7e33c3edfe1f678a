package io.skerry.integration.matrix.pattern;

/** Access patterns in three dimensions; a page consists of all rows and columns at one depth. */
public final class SolidPatterns {
  private static final long ROWS = PlanePatterns.ROWS;
  private static final long COLUMNS = PlanePatterns.COLUMNS;

  private SolidPatterns() {}

  private static long[] solid(int n) {
    return new long[] {ROWS * n, COLUMNS * n, n};
  }

  public static Scenario separatePages(int n) {
    long[] extent = solid(n);
    return Scenario.fixed(
        extent,
        new long[] {ROWS, COLUMNS, 1},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.block(
                        extent, new long[] {0, 0, rank}, new long[] {extent[0], extent[1], 1}))));
  }

  public static Scenario samePages(int n) {
    long[] extent = solid(n);
    return Scenario.fixed(
        extent,
        new long[] {ROWS, COLUMNS, 1},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.block(
                        extent,
                        new long[] {ROWS * rank, 0, 0},
                        new long[] {ROWS, extent[1], extent[2]}))));
  }

  public static Scenario sharedPages(int n) {
    long[] extent = solid(n);
    return Scenario.fixed(
        extent,
        new long[] {n, COLUMNS, 1},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.slab(
                        extent,
                        new long[] {rank, 0, 0},
                        new long[] {n, COLUMNS, 1},
                        new long[] {ROWS, n, n},
                        new long[] {1, COLUMNS, 1}))));
  }
}
