package io.skerry.collective.read;

import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.read.SliceSource.Available;
import io.skerry.collective.read.SliceSource.Fetched;
import io.skerry.collective.read.SliceSource.InFile;
import io.skerry.collective.view.ChunkImageReader;

/** Scatters the values of each chunk into the caller's memory, in a collective read. */
final class ScatterAction implements ReadWork.Action {
  private final FileContext context;
  private final ChunkedDataset dataset;
  private final TypedMemory target;
  private final SliceTarget wanted;
  private final InPlaceReader inPlace;
  private final SourceDecoder decoder;

  ScatterAction(
      FileContext context, ChunkImageReader images, ChunkedDataset dataset, TypedMemory target) {
    this.context = context;
    this.dataset = dataset;
    this.target = target;
    this.wanted = new SliceTarget(dataset, target);
    this.inPlace = new InPlaceReader(images, dataset, target.values());
    this.decoder = new SourceDecoder(context, images, dataset);
  }

  @Override
  public void apply(ChunkSlice slice, SliceSource source, Leases memory) {
    if (source instanceof InFile(_, var record)
        && target.conversion().isIdentity()
        && inPlace.read(slice, record)) {
      return;
    }
    Available available = decoder.available(source, memory);
    if (available instanceof Fetched(var key, var image) && passesThrough(slice)) {
      wanted.takeStored(slice, key, dataset.format(key.chunk()), image, memory);
    } else {
      wanted.take(slice, decoder.chunk(available), memory);
    }
  }

  /**
   * Returns whether a chunk bypasses the cache. This is the case if the chunk is read completely,
   * and either the chunk needs no decoding or the read is so large that only its last chunks would
   * remain in the cache.
   */
  private boolean passesThrough(ChunkSlice slice) {
    return slice.coversWholeChunk()
        && (dataset.format().encodedSize() instanceof EncodedSize.Exactly
            || target.values().byteSize() > context.cache().statistics().quiescent());
  }
}
