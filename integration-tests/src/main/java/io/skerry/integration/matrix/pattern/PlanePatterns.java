package io.skerry.integration.matrix.pattern;

import io.skerry.integration.random.PickedElements;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/** Access patterns in a fixed two-dimensional extent. */
public final class PlanePatterns {
  /** The number of rows of a chunk that only one rank accesses. */
  static final long ROWS = 4;

  /** The number of columns of a chunk that only one rank accesses. */
  static final long COLUMNS = 2;

  private PlanePatterns() {}

  private static long[] plane(int n) {
    return new long[] {ROWS * n, COLUMNS * n};
  }

  private static long[] ownChunk() {
    return new long[] {ROWS, COLUMNS};
  }

  /** Returns the rows of a rank. */
  private static PickedElements rows(int n, int rank) {
    return Picks.block(plane(n), new long[] {ROWS * rank, 0}, new long[] {ROWS, COLUMNS * n});
  }

  public static Scenario oneChunk(int n) {
    return Scenario.fixed(
        plane(n), plane(n), new CollectiveStep.Write(Picks.ofRanks(n, rank -> rows(n, rank))));
  }

  public static Scenario separateChunks(int n) {
    return Scenario.fixed(
        plane(n), ownChunk(), new CollectiveStep.Write(Picks.ofRanks(n, rank -> rows(n, rank))));
  }

  public static Scenario converted(int n) {
    return Scenario.fixed(
        plane(n),
        ownChunk(),
        new CollectiveStep.Write(
            Picks.ofRanks(n, rank -> rows(n, rank)),
            CollectiveStep.Values.DISTINCT,
            CollectiveStep.Memory.OTHER));
  }

  public static Scenario partsOfSeparateChunks(int n) {
    long[] extent = plane(n);
    return Scenario.fixed(
        extent,
        ownChunk(),
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.slab(
                        extent,
                        new long[] {ROWS * rank + 1, 0},
                        new long[] {2, COLUMNS},
                        new long[] {2, n},
                        new long[] {1, 1}))));
  }

  public static Scenario sharedChunks(int n) {
    long[] extent = {ROWS * n, COLUMNS * n};
    return Scenario.fixed(
        extent,
        new long[] {n, n},
        new CollectiveStep.Write(Picks.ofRanks(n, rank -> rowOfEach(extent, n, rank))));
  }

  /**
   * Returns row {@code rank} of each chunk; a chunk has as many rows and columns as there are
   * ranks.
   */
  static PickedElements rowOfEach(long[] extent, int n, int rank) {
    return Picks.slab(
        extent,
        new long[] {rank, 0},
        new long[] {n, n},
        new long[] {extent[0] / n, extent[1] / n},
        new long[] {1, n});
  }

  public static Scenario sameElements(int n) {
    long[] extent = plane(n);
    return Scenario.fixed(
        extent,
        ownChunk(),
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.block(
                        extent,
                        new long[] {rank, 0},
                        new long[] {extent[0] - 2L * rank, extent[1] - rank}))));
  }

  public static Scenario oneRankWithout(int n) {
    return Scenario.fixed(
        plane(n),
        ownChunk(),
        new CollectiveStep.Write(
            Picks.ofRanks(n, rank -> rank == n - 1 ? PickedElements.NOTHING : rows(n, rank))));
  }

  public static Scenario allRanksWithout(int n) {
    return Scenario.fixed(
        plane(n),
        ownChunk(),
        new CollectiveStep.Write(Picks.ofRanks(n, _ -> PickedElements.NOTHING)));
  }

  public static Scenario points(int n) {
    long[] extent = plane(n);
    return Scenario.fixed(
        extent,
        ownChunk(),
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank -> {
                  long all = Picks.volume(extent);
                  // A third of the elements remain unwritten.
                  List<Long> mine =
                      LongStream.range(0, all)
                          .filter(element -> element % 3 != 1 && element % n == rank)
                          .boxed()
                          .toList();
                  return Picks.shuffled(extent, Picks.points(extent, mine), rank);
                })));
  }

  public static Scenario interleaved(int n) {
    long[] extent = {ROWS, COLUMNS * n * 2};
    return Scenario.fixed(
        extent,
        new long[] {3, COLUMNS * n},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank ->
                    Picks.slab(
                        extent,
                        new long[] {0, rank},
                        new long[] {1, n},
                        new long[] {1, COLUMNS * 2},
                        new long[] {ROWS, 1}))));
  }

  public static Scenario transposed(int n) {
    long[] extent = plane(n);
    return Scenario.fixed(
        extent,
        new long[] {3, 3},
        new CollectiveStep.Write(
            Picks.ofRanks(
                n,
                rank -> {
                  List<Long> elements = new ArrayList<>();
                  for (long element : rows(n, rank).elements()) {
                    elements.add(element);
                  }
                  elements.sort(
                      Comparator.comparingLong((Long element) -> element % extent[1])
                          .thenComparingLong(element -> element));
                  return Picks.points(extent, elements);
                })));
  }
}
