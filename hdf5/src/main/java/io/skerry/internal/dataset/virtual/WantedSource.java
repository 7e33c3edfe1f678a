package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.share.SharedSource;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunked source from which this rank needs elements, for one or several parts of a virtual
 * dataset.
 *
 * @param <P> the type of a part
 */
abstract class WantedSource<P> implements SharedSource {
  private final Shape extent;
  private final ChunkGrid grid;
  private final SourceSearch search;
  private final Datatype datatype;
  private final String path;
  private final String key;
  private final List<P> parts = new ArrayList<>();
  private final List<ChunkSlice> slices = new ArrayList<>();

  /** For each slice, the index of its part. */
  private final List<Integer> partOf = new ArrayList<>();

  /**
   * Creates a source without parts.
   *
   * @param search the search that finds the source again
   */
  WantedSource(NativeDataset source, ChunkedDataset chunks, SourceSearch search) {
    this.extent = source.shape();
    this.grid = chunks.grid();
    this.search = search;
    this.datatype = source.datatype();
    this.path = source.path();
    this.key = key(source);
  }

  /** Returns a text that identifies a source: its file, its path and its datatype. */
  static String key(NativeDataset source) {
    return source.file().path().toAbsolutePath().normalize()
        + "\n"
        + source.path()
        + "\n"
        + source.datatype();
  }

  /** Adds a part and the slices that it needs. */
  final void add(P part, List<ChunkSlice> needed) {
    for (ChunkSlice slice : needed) {
      slices.add(slice);
      partOf.add(parts.size());
    }
    parts.add(part);
  }

  final List<P> parts() {
    return parts;
  }

  /** Returns the part of a slice. */
  final P partOf(int slice) {
    return parts.get(partOf.get(slice));
  }

  final Datatype datatype() {
    return datatype;
  }

  final String path() {
    return path;
  }

  @Override
  public final String key() {
    return key;
  }

  @Override
  public final ChunkGrid grid() {
    return grid;
  }

  @Override
  public final Shape extent() {
    return extent;
  }

  @Override
  public int elementSize() {
    return datatype.size();
  }

  @Override
  public final List<ChunkSlice> slices() {
    return slices;
  }

  /** Finds the source again; fails if it no longer exists. */
  final NativeDataset source() {
    return search
        .find()
        .orElseThrow(
            () -> new FormatException("source " + path + " of a virtual dataset", "found", "gone"));
  }
}
