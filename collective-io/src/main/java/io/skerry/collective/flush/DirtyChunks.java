package io.skerry.collective.flush;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.collective.core.ChunkPublication;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Performs the first two stages of a flush: encodes and places the dirty chunks. */
final class DirtyChunks {
  private final FileContext context;
  private final ChunkPublication publication;

  DirtyChunks(FileContext context, ChunkPublication publication) {
    this.context = context;
    this.publication = publication;
  }

  /** An encoded chunk; the image is empty if the flush deletes the chunk. */
  record Encoded(ChunkKey key, Optional<ChunkImage> image) {}

  /** Encodes the dirty chunks of this rank on the workers. Collective. */
  List<Encoded> encode(LocalStatus status) {
    List<Callable<Encoded>> tasks = new ArrayList<>();
    for (ChunkKey key : context.chunks().unstored().keySet()) {
      tasks.add(() -> new Encoded(key, context.chunks().encode(key)));
    }
    List<Encoded> encoded = status.attempt(() -> context.workers().runAll(tasks), List.of());
    context.outcome().agree(status);
    return encoded;
  }

  /**
   * The chunks of this rank that a flush stores.
   *
   * @param moved images at new addresses
   * @param records the new record of each chunk, including unpublished chunks; an empty record
   *     means that the chunk is deleted or keeps its address
   * @param fixed images of chunks that keep their address
   */
  record Placed(
      ChunkPublication.Placed moved,
      Map<ChunkKey, Optional<ChunkRecord>> records,
      Map<ChunkKey, ChunkImage> fixed) {}

  /**
   * Allocates addresses for the chunks that move, and frees the old blocks of all chunks that have
   * moved or are deleted. Collective.
   */
  Placed place(List<Encoded> encoded, NextState next) {
    Map<ChunkKey, ChunkImage> fixed = new TreeMap<>();
    Map<ChunkKey, ChunkImage> moving = new LinkedHashMap<>();
    Map<ChunkKey, Optional<ChunkRecord>> records = new LinkedHashMap<>();
    long replacedBytes = next.free().bytes(Use.DATA);
    for (Encoded chunk : encoded) {
      if (chunk.image().isPresent()
          && context.directory().dataset(chunk.key().dataset()).hasFixedChunks()) {
        fixed.put(chunk.key(), chunk.image().get());
      } else {
        records.put(chunk.key(), Optional.empty());
        chunk.image().ifPresent(image -> moving.put(chunk.key(), image));
        replacedBytes += previous(chunk.key()).map(ChunkPublication::bytes).orElse(0L);
      }
    }
    ChunkPublication.Placed placed = publication.place(moving, replacedBytes, next.space());
    context.meter().allocates(placed.bytes());
    placed.unused().forEach(block -> next.free().free(Use.DATA, block));
    placed.records().forEach((key, record) -> records.put(key, Optional.of(record)));
    records.putAll(context.unpublished().all());
    for (ChunkKey key : records.keySet()) {
      previous(key)
          .ifPresent(old ->
              next.free().free(Use.DATA, new Block(old.address(), ChunkPublication.bytes(old))));
    }
    // The index owner is only notified of the change, since an implicit index has no records.
    fixed.keySet().forEach(key -> records.put(key, Optional.empty()));
    return new Placed(placed, records, fixed);
  }

  private Optional<ChunkRecord> previous(ChunkKey key) {
    return context.previous().getOrDefault(key, Optional.empty());
  }
}
