package io.skerry.testkit.matrix;

import io.skerry.selection.Shape;
import io.skerry.testkit.trial.Pick;
import java.util.Arrays;
import java.util.List;

/**
 * A grid, and what ranks do in it.
 *
 * @param extent of the dataset when it is created
 * @param maximum what it may grow to
 * @param chunk shape of a chunk
 * @param rounds one after the other; the last write tells what each rank reads
 */
record Scenario(long[] extent, long[] maximum, long[] chunk, List<Round> rounds) {
  Scenario {
    rounds = List.copyOf(rounds);
  }

  /** In an extent that stays as it is. */
  static Scenario fixed(long[] extent, long[] chunk, Round... rounds) {
    return new Scenario(extent, extent, chunk, List.of(rounds));
  }

  /** In an extent that can grow in these dimensions. */
  static Scenario growing(long[] extent, long[] chunk, List<Integer> free, List<Round> rounds) {
    long[] maximum = extent.clone();
    free.forEach(d -> maximum[d] = Shape.UNLIMITED);
    return new Scenario(extent, maximum, chunk, rounds);
  }

  Shape shape() {
    return Shape.of(extent, maximum);
  }

  /** What each rank reads in the end. */
  List<Pick> lastPicks() {
    return rounds.reversed().stream()
        .filter(Round.Write.class::isInstance)
        .map(round -> ((Round.Write) round).picks())
        .findFirst()
        .orElseThrow();
  }

  /** The extent when everything is done. */
  long[] lastExtent() {
    return rounds.reversed().stream()
        .filter(Round.Resize.class::isInstance)
        .map(round -> ((Round.Resize) round).extent())
        .findFirst()
        .orElse(extent);
  }

  @Override
  public String toString() {
    return "extent="
        + Arrays.toString(extent)
        + " maximum="
        + Arrays.toString(maximum)
        + " chunk="
        + Arrays.toString(chunk);
  }
}
