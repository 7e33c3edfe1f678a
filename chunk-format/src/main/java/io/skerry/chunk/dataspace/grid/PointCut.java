package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.SortOrder;
import io.skerry.selection.PointList;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Cuts a list of points along the boundaries of a chunk grid. Points are sorted by chunk, then by
 * element, then by their position in the list, so the last occurrence of a repeated point is sorted
 * last. Chunk and element are packed into a single key if the chunks that the points can touch have
 * fewer than 2^63 elements.
 */
final class PointCut {
  /** Coordinate limit up to which a quotient computed in floating point is off by at most one. */
  private static final long EXACT = 1L << 52;

  /** Number of points processed together; their keys fit in the first-level CPU cache. */
  private static final int TOGETHER = 2048;

  private final ChunkGrid grid;
  private final Shape extent;
  private final PointList points;
  private final List<ChunkSlice> slices = new ArrayList<>();

  private PointCut(ChunkGrid grid, Shape extent, PointList points) {
    this.grid = grid;
    this.extent = extent;
    this.points = points;
  }

  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, PointList points) {
    PointCut cut = new PointCut(grid, extent, points);
    long[] steps = cut.chunkSteps();
    if (steps.length > 0) {
      cut.byOneKey(steps);
    } else {
      cut.byTwoKeys();
    }
    return cut.slices;
  }

  private long firstChunk(int d) {
    return SelectionSets.bounds(points).start(d) / grid.size(d);
  }

  private long chunks(int d) {
    return (SelectionSets.bounds(points).end(d) - 1) / grid.size(d) - firstChunk(d) + 1;
  }

  /**
   * Returns the distances between the keys of adjacent chunks in each dimension; empty if keys
   * would exceed a long.
   */
  private long[] chunkSteps() {
    long[] steps = new long[grid.rank()];
    long product = grid.elements();
    for (int d = grid.rank() - 1; d >= 0; d--) {
      steps[d] = product;
      if (product > Long.MAX_VALUE / chunks(d)) {
        return new long[0];
      }
      product *= chunks(d);
    }
    return steps;
  }

  private void byOneKey(long[] chunkSteps) {
    long[] key = new long[points.size()];
    for (int from = 0; from < key.length; from += TOGETHER) {
      int to = Math.min(key.length, from + TOGETHER);
      long elementStep = 1;
      for (int d = grid.rank() - 1; d >= 0; d--) {
        locate(d, chunkSteps[d], elementStep, key, from, to);
        elementStep *= grid.size(d);
      }
    }
    SortOrder sorted = SortOrder.of(key);
    long elements = grid.elements();
    long[] index = new long[64];
    int at = 0;
    while (at < key.length) {
      long base = sorted.key(at) / elements * elements;
      int from = at;
      while (at < key.length && sorted.key(at) - base < elements) {
        if (at - from == index.length) {
          index = Arrays.copyOf(index, 2 * index.length);
        }
        index[at - from] = sorted.key(at) - base;
        at++;
      }
      int[] places = new int[at - from];
      for (int i = 0; i < places.length; i++) {
        places[i] = sorted.position(from + i);
      }
      add(index, places);
    }
  }

  /** Adds the contribution of one dimension to the keys of a range of points. */
  private void locate(int d, long chunkStep, long elementStep, long[] key, int from, int to) {
    int rank = grid.rank();
    long[] flat = SelectionSets.coordinates(points);
    long size = grid.size(d);
    double inverse = 1.0 / size;
    boolean exact = SelectionSets.bounds(points).end(d) <= EXACT;
    long first = firstChunk(d);
    for (int p = from, at = from * rank + d; p < to; p++, at += rank) {
      long coordinate = flat[at];
      long scaled = exact ? (long) (coordinate * inverse) : coordinate / size;
      long rest = coordinate - scaled * size;
      if (rest < 0) {
        scaled--;
        rest += size;
      } else if (rest >= size) {
        scaled++;
        rest -= size;
      }
      key[p] += (scaled - first) * chunkStep + rest * elementStep;
    }
  }

  private void byTwoKeys() {
    long[] index = elementIndices();
    SortOrder byChunk = SortOrder.of(chunkNumbers());
    int at = 0;
    while (at < index.length) {
      int end = at + 1;
      while (end < index.length && byChunk.key(end) == byChunk.key(at)) {
        end++;
      }
      int[] places = new int[end - at];
      long[] inChunk = new long[places.length];
      int from = at;
      Arrays.setAll(inChunk, i -> index[byChunk.position(from + i)]);
      SortOrder sorted = SortOrder.of(inChunk);
      Arrays.setAll(places, i -> byChunk.position(from + sorted.position(i)));
      add(LongStream.range(0, places.length).map(i -> sorted.key((int) i)).toArray(), places);
      at = end;
    }
  }

  private long[] elementIndices() {
    long[] index = new long[points.size()];
    for (int p = 0; p < index.length; p++) {
      for (int d = 0; d < grid.rank(); d++) {
        index[p] = index[p] * grid.size(d) + points.coordinate(p, d) % grid.size(d);
      }
    }
    return index;
  }

  /**
   * Returns a chunk number for each point. The numbers ascend in row-major order of the chunks. If
   * adding a dimension would make the numbers exceed a long, the numbers and the coordinates in
   * that dimension are first replaced by consecutive numbers in the same order.
   */
  private long[] chunkNumbers() {
    long[] number = new long[points.size()];
    long numbers = 1;
    for (int d = 0; d < grid.rank(); d++) {
      long[] scaled = new long[number.length];
      long first = firstChunk(d);
      for (int p = 0; p < scaled.length; p++) {
        scaled[p] = points.coordinate(p, d) / grid.size(d) - first;
      }
      long count = chunks(d);
      if (numbers > Long.MAX_VALUE / count) {
        numbers = makeDense(number);
        count = makeDense(scaled);
      }
      for (int p = 0; p < scaled.length; p++) {
        number[p] = number[p] * count + scaled[p];
      }
      numbers *= count;
    }
    return number;
  }

  /**
   * Replaces each value with the number of distinct smaller values.
   *
   * @return the number of distinct values
   */
  private static long makeDense(long[] values) {
    SortOrder sorted = SortOrder.of(values.clone());
    long dense = 0;
    for (int i = 0; i < values.length; i++) {
      dense += i > 0 && sorted.key(i) != sorted.key(i - 1) ? 1 : 0;
      values[sorted.position(i)] = dense;
    }
    return dense + 1;
  }

  /**
   * Adds the slice of a chunk.
   *
   * @param index the elements of the chunk in ascending order; only the first {@code places.length}
   *     entries are read
   * @param places the position of each element in the list of points
   */
  private void add(long[] index, int[] places) {
    long[] scaled = new long[grid.rank()];
    Arrays.setAll(scaled, d -> points.coordinate(places[0], d) / grid.size(d));
    RunSet elements = RunSet.ofAscending(index, places.length);
    slices.add(grid.slice(scaled, extent, elements, PointMap.of(index, places)));
  }
}
