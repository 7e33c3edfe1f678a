package io.skerry.integration.matrix.pattern;

import io.skerry.integration.random.PickedElements;
import java.util.List;

/** Access patterns for datasets of compounds. */
public final class CompoundPatterns {
  private CompoundPatterns() {}

  public static Scenario separate(int n) {
    return separate(n, CollectiveStep.Memory.AS_STORED);
  }

  public static Scenario convertedSeparate(int n) {
    return separate(n, CollectiveStep.Memory.OTHER);
  }

  public static Scenario shared(int n) {
    return shared(n, CollectiveStep.Memory.AS_STORED);
  }

  public static Scenario convertedShared(int n) {
    return shared(n, CollectiveStep.Memory.OTHER);
  }

  private static Scenario separate(int n, CollectiveStep.Memory memory) {
    long[] extent = {1, n};
    return Scenario.fixed(
        extent,
        new long[] {1, 1},
        new CollectiveStep.Write(
            Picks.ofRanks(n, rank -> Picks.block(extent, new long[] {0, rank}, new long[] {1, 1})),
            CollectiveStep.Values.DISTINCT,
            memory));
  }

  private static List<PickedElements> rows(int n) {
    long[] extent = {n, n};
    return Picks.ofRanks(n, rank -> Picks.block(extent, new long[] {rank, 0}, new long[] {1, n}));
  }

  private static Scenario shared(int n, CollectiveStep.Memory memory) {
    return Scenario.fixed(
        new long[] {n, n},
        new long[] {n, 1},
        new CollectiveStep.Write(rows(n), CollectiveStep.Values.DISTINCT, memory));
  }

  /**
   * Returns a pattern that writes one member of each element; only some of the elements were
   * written before.
   */
  public static Scenario oneMember(int n) {
    long[] extent = {n, n};
    List<PickedElements> columns =
        Picks.ofRanks(n, rank -> Picks.block(extent, new long[] {0, rank}, new long[] {n, 1}));
    List<PickedElements> some =
        Picks.ofRanks(n, rank -> rank % 2 == 0 ? rows(n).get(rank) : PickedElements.NOTHING);
    return Scenario.fixed(
        extent,
        new long[] {n, 1},
        new CollectiveStep.Write(some),
        new CollectiveStep.Flush(),
        new CollectiveStep.Write(
            columns, CollectiveStep.Values.DISTINCT, CollectiveStep.Memory.ONE_MEMBER));
  }
}
