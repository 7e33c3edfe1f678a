package io.skerry.integration.matrix.pattern;

import io.skerry.integration.random.PickedElements;
import java.util.List;

/** Access patterns that read elements that were never written. */
public final class FillPatterns {
  private FillPatterns() {}

  /**
   * Returns a pattern of three writes: of no element, of most of the first chunk, and of all
   * elements. The last write leaves no undefined content for other libraries to find.
   */
  public static Scenario partThenAll(int n) {
    long[] extent = {4L * n, 6};
    long[] chunk = {n, 3};
    List<PickedElements> nothing = Picks.ofRanks(n, _ -> PickedElements.NOTHING);
    List<PickedElements> part =
        Picks.ofRanks(
            n, rank -> Picks.block(extent, new long[] {rank, 0}, new long[] {1, chunk[1] - 1}));
    List<PickedElements> all =
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
        new CollectiveStep.Write(nothing),
        new CollectiveStep.Write(part),
        new CollectiveStep.Flush(),
        new CollectiveStep.Write(all));
  }
}
