package io.skerry.testkit.matrix;

import io.skerry.testkit.trial.Pick;
import java.util.List;

/** Access patterns of datasets of compounds. */
final class CompoundPatterns {
  private CompoundPatterns() {}

  static Scenario separate(int n) {
    return separate(n, Round.Memory.AS_STORED);
  }

  static Scenario convertedSeparate(int n) {
    return separate(n, Round.Memory.OTHER);
  }

  static Scenario shared(int n) {
    return shared(n, Round.Memory.AS_STORED);
  }

  static Scenario convertedShared(int n) {
    return shared(n, Round.Memory.OTHER);
  }

  private static Scenario separate(int n, Round.Memory memory) {
    long[] extent = {1, n};
    return Scenario.fixed(
        extent,
        new long[] {1, 1},
        new Round.Write(
            Picks.ofRanks(n, rank -> Picks.block(extent, new long[] {0, rank}, new long[] {1, 1})),
            Round.Values.DISTINCT,
            memory));
  }

  private static List<Pick> rows(int n) {
    long[] extent = {n, n};
    return Picks.ofRanks(n, rank -> Picks.block(extent, new long[] {rank, 0}, new long[] {1, n}));
  }

  private static Scenario shared(int n, Round.Memory memory) {
    return Scenario.fixed(
        new long[] {n, n},
        new long[] {n, 1},
        new Round.Write(rows(n), Round.Values.DISTINCT, memory));
  }

  /** Returns a pattern that writes one member, over written elements and over others. */
  static Scenario oneMember(int n) {
    long[] extent = {n, n};
    List<Pick> columns =
        Picks.ofRanks(n, rank -> Picks.block(extent, new long[] {0, rank}, new long[] {n, 1}));
    List<Pick> some = Picks.ofRanks(n, rank -> rank % 2 == 0 ? rows(n).get(rank) : Pick.NOTHING);
    return Scenario.fixed(
        extent,
        new long[] {n, 1},
        new Round.Write(some),
        new Round.Flush(),
        new Round.Write(columns, Round.Values.DISTINCT, Round.Memory.ONE_MEMBER));
  }
}
