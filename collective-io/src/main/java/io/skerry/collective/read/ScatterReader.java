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

  /**
   * Creates a reader for one selection.
   *
   * @param target the memory for all values of the selection
   */
  ScatterReader(
      FileContext context, ChunkImageReader images, ChunkedDataset dataset, TypedMemory target) {
    this.context = context;
    this.images = images;
    this.wanted = new SliceTarget(dataset, target);
    this.inPlace =
        target.conversion().isIdentity()
            ? Optional.of(new InPlaceReader(images, dataset, target.values()))
            : Optional.empty();
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

  /**
   * Reads a slice of a stored chunk directly from the file if the chunk needs no decoding, or if
   * the read would evict its own chunks from the cache before it ends.
   */
  @Override
  public boolean readPast(ChunkSlice slice, Pressure pressure) {
    ChunkedDataset dataset = wanted.dataset();
    boolean plain = dataset.format().encodedSize() instanceof EncodedSize.Exactly;
    if (!plain && pressure == Pressure.NONE) {
      return false;
    }
    ChunkKey key = ChunkKey.of(dataset.id(), slice.scaled());
    Optional<ChunkRecord> record = context.store().record(key);
    if (record.isEmpty()) {
      return false;
    }
    if (inPlace.isPresent() && inPlace.get().read(slice, record.get())) {
      return true;
    }
    try (Leases leases = new Leases(context.pool())) {
      ChunkImage image = images.readAlone(record.get(), leases);
      wanted.takeStored(slice, key, context.store().format(key), image, leases);
    }
    return true;
  }
}
