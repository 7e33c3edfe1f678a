package io.skerry.collective;

import io.skerry.cache.ChunkCache;
import io.skerry.cache.ChunkKey;
import io.skerry.cache.DatasetChunks;
import io.skerry.cache.DefinedRequest;
import io.skerry.cache.ReadRequest;
import io.skerry.cache.SliceReader;
import io.skerry.chunk.ContentPacking;
import io.skerry.chunk.EncodedSize;
import io.skerry.chunk.MemoryChunk;
import io.skerry.chunk.PackedContent;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.space.ChunkSlice;
import io.skerry.chunk.space.Selection;
import io.skerry.format.index.ChunkRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads of a rank that is alone with the file: any thread, through the cache. What was written is
 * read from there, flushed or not.
 *
 * <p>A read within one chunk that is in memory takes no lock and touches nothing that other threads
 * write.
 */
final class LocalReader {
  private final Session session;
  private final ImageReader images;

  LocalReader(Session session, ImageReader images) {
    this.session = session;
    this.images = images;
  }

  /**
   * Reads the selected values in selection order, undefined ones as the fill value.
   *
   * @param buffer makes the memory to fill
   */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> buffer) {
    selection.checkWithin(dataset.shape());
    List<ChunkSlice> slices = dataset.grid().cut(selection, dataset.shape());
    TypedMemory target = buffer.get();
    SliceTarget wanted = new SliceTarget(dataset, target);
    DatasetChunks chunks = dataset.chunks();
    if (slices.size() == 1) {
      ChunkSlice slice = slices.getFirst();
      Optional<MemoryChunk> held = cache().peek(chunks, chunks.numbers().number(slice.scaled()));
      if (held.isPresent() && wanted.takeStraight(slice, held.get())) {
        return;
      }
    }
    cache()
        .read(
            new ReadRequest(
                chunks, selection, slices, new Scatter(wanted), List.of(target.values())));
  }

  /** Takes each chunk's part of a read. */
  private final class Scatter implements SliceReader {
    private final SliceTarget wanted;
    private final Optional<InPlaceReader> inPlace;

    Scatter(SliceTarget wanted) {
      this.wanted = wanted;
      this.inPlace =
          wanted.target().conversion().isIdentity()
              ? Optional.of(new InPlaceReader(images, wanted.dataset(), wanted.target().values()))
              : Optional.empty();
    }

    @Override
    public void read(ChunkSlice slice, MemoryChunk chunk) {
      try (Leases leases = new Leases(session.pool())) {
        wanted.take(slice, chunk, leases);
      }
    }

    /**
     * A whole chunk that costs nothing to decode is not worth keeping; others are, unless the read
     * would push them out before it ends.
     */
    @Override
    public boolean readPast(ChunkSlice slice, Pressure pressure) {
      ChunkedDataset dataset = wanted.dataset();
      boolean plain = dataset.format().encodedSize() instanceof EncodedSize.Exactly;
      if (!plain && pressure == Pressure.NONE) {
        return false;
      }
      ChunkKey key = ChunkKey.of(dataset.id(), slice.scaled());
      Optional<ChunkRecord> record = session.store().record(key);
      if (record.isEmpty()) {
        return false;
      }
      if (inPlace.isPresent() && inPlace.get().read(slice, record.get())) {
        return true;
      }
      try (Leases leases = new Leases(session.pool())) {
        wanted.takeStored(slice, key, images.readAlone(record.get(), leases), leases);
      }
      return true;
    }
  }

  /** Reads the selected values with their content, in selection order. */
  PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    selection.checkWithin(dataset.shape());
    List<ChunkSlice> slices = dataset.grid().cut(selection, dataset.shape());
    ContentPacking packing = dataset.format().contentPacking().orElseThrow();
    List<ContentPacking.Share> shares = new ArrayList<>();
    SliceReader reader =
        (slice, chunk) -> {
          MemorySegment packed =
              dataset
                  .format()
                  .readPacked(chunk, slice.elements(), (bytes, _) -> HeapBytes.allocate(bytes));
          synchronized (shares) {
            shares.add(new ContentPacking.Share(slice, packed));
          }
        };
    cache().read(new ReadRequest(dataset.chunks(), selection, slices, reader, List.of()));
    return packing.assemble(selection.count(dataset.shape()), shares);
  }

  /** The defined ones among the selected elements; of points in their order. */
  Selection defined(ChunkedDataset dataset, Selection selection) {
    selection.checkWithin(dataset.shape());
    List<ChunkSlice> slices = dataset.grid().cut(selection, dataset.shape());
    List<Selection> parts = new ArrayList<>();
    cache()
        .defined(
            new DefinedRequest(
                dataset.chunks(),
                selection,
                slices,
                (slice, defined) -> {
                  Selection part = dataset.grid().toDataset(defined, slice.scaled());
                  synchronized (parts) {
                    parts.add(part);
                  }
                }));
    // A list of points stays one, in its order and with its repetitions.
    return selection.intersect(Selection.unionAll(parts));
  }

  private ChunkCache cache() {
    return session.cache();
  }
}
