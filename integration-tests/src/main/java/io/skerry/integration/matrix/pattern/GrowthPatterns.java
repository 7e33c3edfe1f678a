package io.skerry.integration.matrix.pattern;

import io.skerry.integration.random.PickedElements;
import java.util.ArrayList;
import java.util.List;

/** Access patterns in which the extent or the stored size of chunks changes between writes. */
public final class GrowthPatterns {
  private static final int TIMES = 4;
  private static final long ROWS = PlanePatterns.ROWS;
  private static final long COLUMNS = PlanePatterns.COLUMNS;

  private GrowthPatterns() {}

  /** The extent as a function of the step number. */
  @FunctionalInterface
  private interface Growth {
    long[] extent(int step);
  }

  /** The selection of a rank in an extent. */
  @FunctionalInterface
  private interface Part {
    PickedElements of(long[] extent, int rank);
  }

  private static Scenario growing(
      int n, long[] chunk, List<Integer> free, Growth growth, Part part) {
    List<CollectiveStep> rounds = new ArrayList<>();
    for (int step = 1; step <= TIMES; step++) {
      long[] extent = growth.extent(step);
      if (step > 1) {
        rounds.add(new CollectiveStep.Resize(extent));
      }
      rounds.add(new CollectiveStep.Write(Picks.ofRanks(n, rank -> part.of(extent, rank))));
    }
    return Scenario.growing(growth.extent(1), chunk, free, rounds);
  }

  public static Scenario oneUnlimitedSeparate(int n) {
    long wide = COLUMNS * n;
    return growing(
        n,
        new long[] {ROWS, COLUMNS},
        List.of(1),
        step -> new long[] {ROWS * n, wide * step},
        (extent, rank) ->
            Picks.block(
                extent, new long[] {ROWS * rank, extent[1] - wide}, new long[] {ROWS, wide}));
  }

  public static Scenario oneUnlimitedShared(int n) {
    return growing(
        n,
        new long[] {n, n},
        List.of(1),
        step -> new long[] {ROWS * n, COLUMNS * n * step},
        (extent, rank) -> PlanePatterns.rowOfEach(extent, n, rank));
  }

  public static Scenario severalUnlimitedSeparate(int n) {
    return growing(
        n,
        new long[] {ROWS, COLUMNS},
        List.of(0, 1),
        step -> new long[] {ROWS * n * step, COLUMNS * step},
        (extent, rank) ->
            Picks.slab(
                extent,
                new long[] {ROWS * rank, 0},
                new long[] {ROWS * n, COLUMNS},
                new long[] {extent[0] / ROWS / n, extent[1] / COLUMNS},
                new long[] {ROWS, COLUMNS}));
  }

  public static Scenario severalUnlimitedShared(int n) {
    return growing(
        n,
        new long[] {n, n},
        List.of(0, 1),
        step -> new long[] {(long) n * step, (long) n * step},
        (extent, rank) -> PlanePatterns.rowOfEach(extent, n, rank));
  }

  public static Scenario shrinkingThenGrowing(int n) {
    long[] first = {ROWS * n, COLUMNS * n};
    long[] small = {ROWS * n / 2 + 1, Math.max(1, COLUMNS * n - 1)};
    long[] last = {ROWS * n + 3, COLUMNS * n + 1};
    Part stripe =
        (extent, rank) ->
            Picks.slab(
                extent,
                new long[] {rank, 0},
                new long[] {n, 1},
                new long[] {(extent[0] - rank + n - 1) / n, 1},
                new long[] {1, extent[1]});
    return Scenario.growing(
        first,
        new long[] {3, 3},
        List.of(0, 1),
        List.of(
            new CollectiveStep.Write(Picks.ofRanks(n, rank -> stripe.of(first, rank))),
            new CollectiveStep.Flush(),
            new CollectiveStep.Resize(small),
            new CollectiveStep.Resize(last),
            new CollectiveStep.Write(
                Picks.ofRanks(
                    n, rank -> Picks.block(last, new long[] {rank, 0}, new long[] {2, last[1]})))));
  }

  public static Scenario longerAndShorterChunks(int n) {
    long[] extent = {ROWS * n, 16};
    List<CollectiveStep> rounds = new ArrayList<>();
    for (int i = 0; i < 2 * TIMES; i++) {
      rounds.add(
          new CollectiveStep.Write(
              Picks.ofRanks(
                  n,
                  rank -> Picks.block(extent, new long[] {ROWS * rank, 0}, new long[] {ROWS, 16})),
              i % 2 == 0 ? CollectiveStep.Values.NOISE : CollectiveStep.Values.ZEROS,
              CollectiveStep.Memory.AS_STORED));
      if (i % 4 != 3) {
        rounds.add(new CollectiveStep.Flush());
      }
    }
    return Scenario.fixed(extent, new long[] {ROWS, 8}, rounds.toArray(CollectiveStep[]::new));
  }
}
