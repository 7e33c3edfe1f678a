package io.skerry.integration.matrix.pattern;

import io.skerry.integration.random.PickedElements;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * A chunk grid, and the steps that the ranks perform on it.
 *
 * @param extent the extent of the new dataset
 * @param maximum the maximum extent
 * @param chunk the shape of a chunk; the constructor reduces it to a limited maximum extent
 * @param rounds the steps in order; the last write determines what each rank reads
 */
public record Scenario(long[] extent, long[] maximum, long[] chunk, List<CollectiveStep> rounds) {
  public Scenario {
    long[] largest = chunk;
    chunk = new long[largest.length];
    Arrays.setAll(
        chunk, d -> maximum[d] == Shape.UNLIMITED ? largest[d] : Math.min(largest[d], maximum[d]));
    rounds = List.copyOf(rounds);
  }

  /** Returns a scenario in a fixed extent. */
  static Scenario fixed(long[] extent, long[] chunk, CollectiveStep... rounds) {
    return new Scenario(extent, extent, chunk, List.of(rounds));
  }

  /** Returns a scenario in an extent that can grow in the given dimensions. */
  static Scenario growing(
      long[] extent, long[] chunk, List<Integer> free, List<CollectiveStep> rounds) {
    long[] maximum = extent.clone();
    free.forEach(d -> maximum[d] = Shape.UNLIMITED);
    return new Scenario(extent, maximum, chunk, rounds);
  }

  public Shape shape() {
    return Shape.of(extent, maximum);
  }

  /** Returns the selection that each rank reads at the end. */
  public List<PickedElements> lastPicks() {
    return rounds.reversed().stream()
        .filter(CollectiveStep.Write.class::isInstance)
        .map(round -> ((CollectiveStep.Write) round).picks())
        .findFirst()
        .orElseThrow();
  }

  /** Returns the extent after all steps. */
  public long[] lastExtent() {
    return rounds.reversed().stream()
        .filter(CollectiveStep.Resize.class::isInstance)
        .map(round -> ((CollectiveStep.Resize) round).extent())
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
