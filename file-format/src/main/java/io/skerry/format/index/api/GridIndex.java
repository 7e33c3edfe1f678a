package io.skerry.format.index.api;

import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;

/**
 * A linear index that numbers chunks by their position in the grid of the maximum extent. Base
 * class of the single-chunk, implicit, fixed array and extensible array indexes.
 */
public abstract class GridIndex implements LinearIndex {
  private final ChunkIndexKind kind;
  private final ChunkedLayout layout;
  private final RecordFormat records;
  private final ChunkLinearizer grid;

  protected GridIndex(
      ChunkIndexKind kind, ChunkedLayout layout, RecordFormat records, ChunkLinearizer grid) {
    this.kind = kind;
    this.layout = layout;
    this.records = records;
    this.grid = grid;
  }

  @Override
  public final ChunkIndexKind kind() {
    return kind;
  }

  @Override
  public final ChunkedLayout layout() {
    return layout;
  }

  @Override
  public final RecordFormat records() {
    return records;
  }

  /** Returns the numbering of the chunks. */
  public final ChunkLinearizer grid() {
    return grid;
  }

  @Override
  public final long position(long[] scaled) {
    return grid.position(scaled);
  }

  @Override
  public final long[] scaled(long position) {
    return grid.scaled(position);
  }
}
