package io.skerry.testkit.matrix;

import io.skerry.testkit.trial.Pick;
import java.util.List;

/** Access patterns that read elements which were never written. */
final class FillPatterns {
  private FillPatterns() {}

  /**
   * Returns a pattern that writes no element and reads; writes most of the first chunk; and writes all
   * elements, so that other libraries find no undefined content.
   */
  static Scenario partThenAll(int n) {
    long[] extent = {4L * n, 6};
    long[] chunk = {n, 3};
    List<Pick> nothing = Picks.ofRanks(n, _ -> Pick.NOTHING);
    List<Pick> part =
        Picks.ofRanks(
            n, rank -> Picks.block(extent, new long[] {rank, 0}, new long[] {1, chunk[1] - 1}));
    List<Pick> all =
        Picks.ofRanks(
            n,
            rank ->
                Picks.slab(
                    extent,
                    new long[] {rank, 0},
                    new long[] {n, chunk[1]},
                    new long[] {4, 2},
                    new long[] {1, chunk[1]}));
    return Scenario.fixed(
        extent,
        chunk,
        new Round.Write(nothing),
        new Round.Write(part),
        new Round.Flush(),
        new Round.Write(all));
  }
}
