package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.RunSetSpans;
import io.skerry.selection.AllSelection;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.NoneSelection;
import io.skerry.selection.PointList;
import io.skerry.selection.Region;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The division of a dataspace into chunks of one shape: cuts selections into slices, and determines
 * the part of a chunk within an extent. Immutable.
 */
public final class ChunkGrid {
  /**
   * Estimated heap memory, in bytes, that a running request uses for each chunk, whether or not the
   * chunk is stored. Includes garbage that the next collection frees.
   */
  private static final long SLICE_BYTES = 1024;

  private final long[] chunk;
  private final long elements;

  private ChunkGrid(long[] chunk, long elements) {
    this.chunk = chunk;
    this.elements = elements;
  }

  /**
   * Returns a grid of chunks of the given sizes.
   *
   * @throws IllegalArgumentException if there are no dimensions or more than 32, or a size is below
   *     1
   * @throws ArithmeticException if a chunk has more than 2^63-1 elements
   */
  public static ChunkGrid of(long... chunkSizes) {
    if (chunkSizes.length == 0 || Arrays.stream(chunkSizes).anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException("not a chunk: sizes=" + Arrays.toString(chunkSizes));
    }
    return new ChunkGrid(chunkSizes.clone(), Shape.of(chunkSizes).elements());
  }

  /** Returns the number of dimensions. */
  public int rank() {
    return chunk.length;
  }

  /** Returns the number of elements of a chunk in a dimension. */
  public long size(int dimension) {
    return chunk[dimension];
  }

  /** Returns a copy of the sizes of a chunk in all dimensions, in elements. */
  public long[] sizes() {
    return chunk.clone();
  }

  /** Returns the number of elements of a chunk. */
  public long elements() {
    return elements;
  }

  /**
   * Rejects an extent whose last chunk in a dimension would end after 2^63 - 1 elements, because
   * the chunk indexes reject the coordinates of such a chunk.
   *
   * @throws IllegalArgumentException if there is such a chunk, or the ranks differ
   */
  public void requireWholeChunks(Shape extent) {
    checkRank(extent.rank());
    for (int i = 0; i < chunk.length; i++) {
      long beyond = extent.extent(i) % chunk[i];
      if (beyond > 0 && extent.extent(i) > Long.MAX_VALUE - (chunk[i] - beyond)) {
        throw new IllegalArgumentException(
            "the last chunk ends after 2^63 - 1 elements: dimension="
                + i
                + " extent="
                + extent.extent(i)
                + " chunkSize="
                + chunk[i]);
      }
    }
  }

  /**
   * Rejects chunks that are larger than the maximum extent, as HDF5 does when a dataset is created.
   * Such chunks of existing files are valid.
   *
   * @throws IllegalArgumentException if {@link #isWithin} returns false, or the ranks differ
   */
  public void requireWithin(Shape extent) {
    checkRank(extent.rank());
    for (int i = 0; i < chunk.length; i++) {
      if (!isWithin(extent, i)) {
        throw new IllegalArgumentException(
            "a chunk is larger than the maximum extent: dimension="
                + i
                + " chunkSize="
                + chunk[i]
                + " maximumExtent="
                + extent.maximum(i));
      }
    }
  }

  /**
   * Returns whether no chunk is larger than the maximum extent, in each dimension that has elements
   * and a limited maximum extent.
   *
   * @throws IllegalArgumentException if the ranks differ
   */
  public boolean isWithin(Shape extent) {
    checkRank(extent.rank());
    return IntStream.range(0, chunk.length).allMatch(d -> isWithin(extent, d));
  }

  private boolean isWithin(Shape extent, int dimension) {
    return extent.extent(dimension) == 0
        || extent.maximum(dimension) == Shape.UNLIMITED
        || chunk[dimension] <= extent.maximum(dimension);
  }

  /**
   * Returns the number of chunks in each dimension, including partial edge chunks.
   *
   * @throws IllegalArgumentException if the ranks differ
   */
  public long[] scaledExtent(Shape extent) {
    checkRank(extent.rank());
    long[] scaled = new long[chunk.length];
    Arrays.setAll(scaled, d -> Math.ceilDiv(extent.extent(d), chunk[d]));
    return scaled;
  }

  /**
   * Returns, for each dimension, the number of the chunk's coordinates within the extent; 0 in a
   * dimension in which the chunk is outside the extent.
   *
   * @throws IllegalArgumentException if the ranks differ
   * @throws ArithmeticException if a coordinate of the chunk's first element exceeds 2^63-1
   */
  public long[] valid(long[] scaled, Shape extent) {
    checkRank(scaled.length);
    checkRank(extent.rank());
    long[] valid = new long[chunk.length];
    Arrays.setAll(valid, d -> valid(d, scaled[d], extent));
    return valid;
  }

  private long valid(int d, long scaled, Shape extent) {
    long inside = extent.extent(d) - Math.multiplyExact(scaled, chunk[d]);
    return Math.max(0, Math.min(chunk[d], inside));
  }

  /**
   * Returns the elements of a chunk within the extent, by row-major index in the full chunk shape.
   *
   * @throws IllegalArgumentException if the ranks differ
   * @throws ArithmeticException if a coordinate of the chunk's first element exceeds 2^63-1
   */
  public RunSet inside(long[] scaled, Shape extent) {
    return SelectionSets.runs(Selection.box(new long[chunk.length], valid(scaled, extent)), chunk);
  }

  /**
   * Returns the coordinates of the first element of a chunk.
   *
   * @throws IllegalArgumentException if the rank of the coordinates differs from that of the grid
   * @throws ArithmeticException if a coordinate of the element exceeds 2^63-1
   */
  public long[] origin(long[] scaled) {
    checkRank(scaled.length);
    long[] origin = new long[chunk.length];
    Arrays.setAll(origin, d -> Math.multiplyExact(scaled[d], chunk[d]));
    return origin;
  }

  /** Converts elements of a chunk to a selection in the coordinates of the dataset. */
  public Selection toDataset(RunSet inChunk, long[] scaled) {
    return SelectionSets.of(RunSetSpans.of(inChunk, chunk, origin(scaled)));
  }

  /**
   * Cuts a selection into one slice for each chunk that it touches, in row-major order of the
   * chunks.
   *
   * @throws IllegalArgumentException if the selection is not within the extent, or the ranks differ
   * @throws io.skerry.exception.MemoryLimitException if a block or a pattern may touch more chunks
   *     than the heap can hold at once
   */
  public List<ChunkSlice> cut(Selection selection, Shape extent) {
    checkRank(extent.rank());
    selection.checkWithin(extent);
    if (selection instanceof Hyperslab slab && SelectionSets.isOneBlock(slab)) {
      List<ChunkSlice> few = BlockCut.cut(this, extent, slab);
      if (!few.isEmpty()) {
        return few;
      }
    }
    return switch (selection.resolve(extent)) {
      case NoneSelection _, AllSelection _ -> List.of();
      case PointList points -> PointCut.cut(this, extent, points);
      case Hyperslab slab -> {
        MemoryLimit.require(
            maxChunksTouched(slab),
            SLICE_BYTES,
            () -> "the chunks of a selection at once, of shape " + Arrays.toString(chunk));
        yield HyperslabCut.cut(this, extent, slab);
      }
      case Region region -> RegionCut.cut(this, extent, SelectionSets.tree(region));
    };
  }

  /**
   * Returns an upper bound on the number of chunks that a selection touches, without cutting the
   * selection. The bound is derived from the selection's bounding box, its number of elements, or
   * the blocks of its pattern. It is {@link Long#MAX_VALUE} if it does not fit in a long.
   *
   * @param selection a selection within the extent
   * @throws IllegalArgumentException if the ranks differ
   */
  public long maxChunksTouched(Selection selection, Shape extent) {
    checkRank(extent.rank());
    return switch (selection.resolve(extent)) {
      case NoneSelection _, AllSelection _ -> 0;
      case PointList points -> points.size();
      case Hyperslab slab -> maxChunksTouched(slab);
      case Region region ->
          Math.min(
              maxChunksTouched(SelectionSets.bounds(region).orElseThrow()),
              SelectionSets.tree(region).count());
    };
  }

  private long maxChunksTouched(Hyperslab slab) {
    Box bounds = SelectionSets.bounds(slab);
    long most = 1;
    for (int d = 0; d < chunk.length; d++) {
      long perBlock = slab.blockAt(d) / chunk[d] + 2;
      most =
          saturated(most, Math.min(chunksAcross(bounds, d), saturated(perBlock, slab.countAt(d))));
    }
    return most;
  }

  private long maxChunksTouched(Box bounds) {
    long most = 1;
    for (int d = 0; d < chunk.length; d++) {
      most = saturated(most, chunksAcross(bounds, d));
    }
    return most;
  }

  private long chunksAcross(Box box, int d) {
    return (box.end(d) - 1) / chunk[d] - box.start(d) / chunk[d] + 1;
  }

  private static long saturated(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  /**
   * Returns the part of a selection within the given chunks.
   *
   * @param chunks coordinates of chunks; those outside the extent are ignored
   */
  public Selection within(Selection selection, Collection<ChunkCoordinates> chunks, Shape extent) {
    long[] grid = scaledExtent(extent);
    List<Box> boxes = new ArrayList<>(chunks.size());
    for (ChunkCoordinates point : chunks) {
      long[] scaled = point.scaled();
      if (isInside(scaled, grid)) {
        long[] start = origin(scaled);
        long[] end = valid(scaled, extent);
        Arrays.setAll(end, d -> start[d] + end[d]);
        boxes.add(new Box(start, end));
      }
    }
    return boxes.isEmpty() ? Selection.none() : selection.intersect(Selection.blocks(boxes));
  }

  private static boolean isInside(long[] scaled, long[] grid) {
    boolean inside = scaled.length == grid.length;
    for (int d = 0; inside && d < grid.length; d++) {
      inside = scaled[d] >= 0 && scaled[d] < grid[d];
    }
    return inside;
  }

  /**
   * Returns the elements of a selection as rows in at most 8 chunks, in row-major order of the
   * chunks, if the selection can be represented in this form.
   *
   * @param selection a selection within the extent
   * @return the rows; empty if the selection is not a single block, touches more than two chunks in
   *     a dimension or more than 8 in all, or has rows at varying distances in a chunk
   * @throws IllegalArgumentException if the selection is a single block with a different rank
   */
  public List<ChunkRows> rows(Selection selection) {
    if (selection instanceof Hyperslab block && SelectionSets.isOneBlock(block)) {
      checkRank(block.dimensions());
      return RowCut.rows(this, block);
    }
    return List.of();
  }

  ChunkSlice slice(long[] scaled, Shape extent, RunSet elements, ValueMap map) {
    long valid = 1;
    for (int d = 0; d < chunk.length; d++) {
      valid *= valid(d, scaled[d], extent);
    }
    return new ChunkSlice(scaled, valid, elements, map);
  }

  private void checkRank(int rank) {
    if (rank != chunk.length) {
      throw new IllegalArgumentException("rank: chunk=" + chunk.length + " given=" + rank);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChunkGrid that && Arrays.equals(chunk, that.chunk);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(chunk);
  }

  @Override
  public String toString() {
    return "chunks of " + Shape.of(chunk);
  }
}
