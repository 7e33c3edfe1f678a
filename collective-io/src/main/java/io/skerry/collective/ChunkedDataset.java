package io.skerry.collective;

import io.skerry.chunk.ChunkFormat;
import io.skerry.chunk.DenseChunkFormat;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.ChunkGrid;
import io.skerry.chunk.space.GridPoint;
import io.skerry.chunk.space.Shape;
import io.skerry.format.index.ChunkIndex;
import io.skerry.format.object.EdgeChunks;
import java.util.Optional;

/**
 * A chunked dataset as the collective code sees it. Every rank has one for each dataset it opened;
 * all change in step.
 */
public final class ChunkedDataset {
  private final long id;
  private final String name;
  private final ChunkFormat format;
  private final ChunkGrid grid;

  /** The format of partial chunks at the edge, if theirs differs. */
  private final Optional<ChunkFormat> edgeFormat;

  private ChunkIndex index;
  private Shape shape;

  /**
   * @param id address of the object header, the dataset's identity on all ranks
   * @param name path, for messages
   * @param shape current and maximum extent
   * @param format what a chunk is
   * @param index where the chunks are; its spine is the same on all ranks
   */
  public ChunkedDataset(long id, String name, Shape shape, ChunkFormat format, ChunkIndex index) {
    this.id = id;
    this.name = name;
    this.shape = shape;
    this.format = format;
    this.grid = ChunkGrid.of(format.chunkShape());
    this.index = index;
    this.edgeFormat =
        index.layout().edges() == EdgeChunks.UNFILTERED && format instanceof DenseChunkFormat dense
            ? Optional.of(dense.withoutFilters())
            : Optional.empty();
  }

  /** Address of the object header. */
  public long id() {
    return id;
  }

  /** Path at which it was opened. */
  public String name() {
    return name;
  }

  /** Current and maximum extent. */
  public Shape shape() {
    return shape;
  }

  /** The chunk format; what it stores holds for all chunks but those of another {@link #format}. */
  public ChunkFormat format() {
    return format;
  }

  /**
   * The format of one chunk: if the layout says so, chunks that stick out over the present extent
   * are stored without filters.
   */
  public ChunkFormat format(GridPoint chunk) {
    return edgeFormat.isPresent() && validElements(chunk.scaled()) < format.elements()
        ? edgeFormat.get()
        : format;
  }

  /** How the extent is cut into chunks. */
  public ChunkGrid grid() {
    return grid;
  }

  /** The replicated part of the chunk index. */
  public ChunkIndex index() {
    return index;
  }

  /** Takes the index that a commit made; the caller has agreed on it with all ranks. */
  void reindex(ChunkIndex newIndex) {
    index = newIndex;
  }

  /**
   * Takes a new extent; the caller has agreed on it with all ranks.
   *
   * @throws IllegalArgumentException if it exceeds the maximum
   * @throws UnsupportedFeatureException if a dimension would shrink
   */
  void extend(long[] extent) {
    Shape wanted = shape.withExtent(extent);
    for (int i = 0; i < extent.length; i++) {
      if (extent[i] < shape.extent(i)) {
        throw new UnsupportedFeatureException(
            "shrinking a dataset: dimension=" + i + " from=" + shape.extent(i) + " to=" + extent[i],
            name);
      }
    }
    shape = wanted;
  }

  /** Elements of a chunk that lie inside the extent. */
  public long validElements(long[] scaled) {
    long product = 1;
    for (long size : grid.valid(scaled, shape)) {
      product *= size;
    }
    return product;
  }

  @Override
  public String toString() {
    return name;
  }
}
