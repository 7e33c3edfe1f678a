package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.ChunkPublication;
import io.skerry.collective.core.ChunkPublication.Placed;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.owner.Ownership;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Stores chunks that the caller has encoded. This corresponds to the direct chunk write of HDF5,
 * {@code H5Dwrite_chunk}.
 *
 * <p>Every image is decoded before anything is stored, so an image that a reader would refuse is
 * refused here. Images are written to free space. Nothing in the file refers to them before the
 * next flush, so if the process is killed before that flush, the file keeps the old chunks. An
 * image for a chunk at a fixed address becomes a dirty chunk in the cache instead.
 */
public final class DirectChunkWriter {
  private final FileContext context;
  private final CollectiveFlush flush;

  public DirectChunkWriter(FileContext context, CollectiveFlush flush) {
    this.context = context;
    this.flush = flush;
  }

  /**
   * Stores the images of all ranks. If several ranks pass an image of the same chunk, the image
   * from the highest rank is stored. Collective.
   *
   * @throws CollectiveException on all ranks if at least one of them failed; in this case, no image
   *     has taken effect
   */
  public void replace(ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    LocalStatus status = new LocalStatus();
    SortedMap<ChunkKey, ChunkImage> mine =
        status.attempt(() -> EncodedChunkChecks.checked(dataset, images.get()), new TreeMap<>());
    context.outcome().enter(Operation.WRITE, dataset.name(), "(encoded chunks)", status);
    try {
      // The earlier changes are stored first, since a later flush would otherwise overwrite the new
      // images with them.
      flush.run(status);
      context.changes().change(dataset);
      context.changes().beginCollectiveWrite();
      context.directory().forgetOwners();
      store(dataset, mine, status);
    } catch (RuntimeException e) {
      // All ranks fail together, and must forget the owners that were chosen for this replacement.
      context.directory().dropOwners();
      throw e;
    } finally {
      context.outcome().leave();
    }
  }

  private void store(
      ChunkedDataset dataset, SortedMap<ChunkKey, ChunkImage> mine, LocalStatus status) {
    SortedMap<ChunkKey, Optional<ChunkRecord>> old = agreeOnWriters(mine, status);
    SortedMap<ChunkKey, MemoryChunk> fixed = new TreeMap<>();
    SortedMap<ChunkKey, ChunkImage> moving = new TreeMap<>(mine);
    moving.keySet().retainAll(old.keySet());
    status.attempt(() -> {
      for (Map.Entry<ChunkKey, ChunkImage> chunk : List.copyOf(moving.entrySet())) {
        ChunkKey key = chunk.getKey();
        if (context.directory().dataset(key.dataset()).hasFixedChunks()) {
          fixed.put(key, dataset.format(key.chunk()).decode(chunk.getValue()));
          moving.remove(key);
        }
      }
    });
    context.outcome().agree(status);
    long replaced = context.space().free().bytes(Use.DATA);
    for (Map.Entry<ChunkKey, Optional<ChunkRecord>> chunk : old.entrySet()) {
      boolean moves = moving.containsKey(chunk.getKey());
      replaced += moves ? chunk.getValue().map(ChunkPublication::bytes).orElse(0L) : 0;
    }
    SpaceAllocator space = context.space().allocator().copy();
    ChunkPublication publication = new ChunkPublication(context);
    Placed placed = publication.place(moving, replaced, space);
    publication.write(placed, status);
    // Independent reads on this rank see either all of the change or none of it.
    Optional<ChunkCache.Quiesced> quiet =
        context.quiescence().quiesceReads(Set.of(dataset), status);
    try {
      context.outcome().agree(status);
      context.space().take(space, placed.unused());
      context.unpublished().putAll(placed.records());
      placed.records().keySet().forEach(context.chunks()::forgetStored);
      fixed.forEach(context.chunks()::putUnstored);
      old.forEach(context.previous()::putIfAbsent);
      context.directory().acceptOwners();
    } finally {
      quiet.ifPresent(ChunkCache.Quiesced::close);
    }
  }

  /**
   * Agrees on the writer of each chunk. The rank with the largest weight is chosen, so using the
   * rank number as the weight chooses the highest rank.
   *
   * @return the chunks that this rank replaces, each with the record of the stored chunk; the
   *     record is empty if the chunk is not stored
   */
  private SortedMap<ChunkKey, Optional<ChunkRecord>> agreeOnWriters(
      SortedMap<ChunkKey, ChunkImage> mine, LocalStatus status) {
    int me = context.ranks().rank();
    Ownership settled =
        Ownership.settle(context.ranks(), context.directory(), mine, _ -> me, status);
    SortedMap<ChunkKey, Optional<ChunkRecord>> old = new TreeMap<>();
    settled.work().forEach((key, chunk) -> old.put(key, chunk.record()));
    return old;
  }
}
