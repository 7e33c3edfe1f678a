package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.SliceReader;
import io.skerry.cache.request.ReadRequest;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.Optional;

/**
 * Scatters the values of each chunk into the caller's memory, in a read through the cache that
 * involves no other rank. Thread-safe.
 */
final class ScatterReader implements SliceReader {
  private final FileContext context;
  private final ChunkImageReader images;
  private final SliceTarget wanted;
  private final Optional<InPlaceReader> inPlace;
  private final Optional<PartReader> parts;

  /**
   * Creates a reader for one selection. Chunks of which only a part is selected are read through
   * the cache.
   *
   * @param target the memory for all values of the selection
   */
  ScatterReader(
      FileContext context, ChunkImageReader images, ChunkedDataset dataset, TypedMemory target) {
    this(context, images, new SliceTarget(dataset, target), Optional.empty());
  }

  private ScatterReader(
      FileContext context,
      ChunkImageReader images,
      SliceTarget wanted,
      Optional<PartReader> parts) {
    this.context = context;
    this.images = images;
    this.wanted = wanted;
    this.inPlace =
        wanted.target().conversion().isIdentity()
            ? Optional.of(new InPlaceReader(images, wanted.dataset(), wanted.target().values()))
            : Optional.empty();
    this.parts = parts;
  }

  /**
   * Returns a reader for one selection that bypasses the cache for chunks that need no decoding,
   * even if only a part of a chunk is selected.
   *
   * @param target the memory for all values of the selection
   */
  static ScatterReader once(
      FileContext context, ChunkImageReader images, ChunkedDataset dataset, TypedMemory target) {
    SliceTarget wanted = new SliceTarget(dataset, target);
    return new ScatterReader(context, images, wanted, Optional.of(new PartReader(images, wanted)));
  }

  /** Returns the request that reads slices of the selection. */
  ReadRequest request(Selection selection, List<ChunkSlice> slices) {
    return new ReadRequest(
        wanted.dataset().chunks(), selection, slices, this, List.of(wanted.target().values()));
  }

  @Override
  public void read(ChunkSlice slice, MemoryChunk chunk) {
    try (Leases leases = new Leases(context.pool())) {
      wanted.take(slice, chunk, leases);
    }
  }

  private boolean isPlain() {
    return wanted.dataset().format().encodedSize() instanceof EncodedSize.Exactly;
  }

  @Override
  public boolean mayReadPast(ChunkSlice slice) {
    return slice.coversWholeChunk() || parts.isPresent() && isPlain();
  }

  /**
   * Reads a slice of a stored chunk directly from the file if the chunk needs no decoding, or if
   * the read would evict its own chunks from the cache before it ends.
   */
  @Override
  public boolean readPast(ChunkSlice slice, Pressure pressure) {
    if (!isPlain() && pressure == Pressure.NONE) {
      return false;
    }
    ChunkKey key = ChunkKey.of(wanted.dataset().id(), slice.scaled());
    Optional<ChunkRecord> record = context.store().record(key);
    if (record.isEmpty()) {
      return false;
    }
    if (inPlace.isPresent() && inPlace.get().read(slice, record.get())) {
      return true;
    }
    try (Leases leases = new Leases(context.pool())) {
      if (parts.isPresent() && parts.get().read(slice, record.get(), leases)) {
        return true;
      }
      ChunkImage image = images.readAlone(record.get(), leases);
      wanted.takeStored(slice, key, context.store().format(key), image, leases);
    }
    return true;
  }
}
