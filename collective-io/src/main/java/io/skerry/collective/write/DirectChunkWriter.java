package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.ChunkPublication;
import io.skerry.collective.core.ChunkPublication.Placed;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Replaces stored chunks by images that the caller has encoded, without chunk owners and without
 * the chunk cache. This corresponds to the direct chunk write of HDF5, {@code H5Dwrite_chunk}.
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
   * Replaces chunks on all ranks. If several ranks pass an image of the same chunk, that of the
   * highest rank is stored. Collective.
   *
   * @throws CollectiveException on all ranks if an image of any rank cannot be stored; no chunk has
   *     changed then
   */
  public void replace(ChunkedDataset dataset, Supplier<Map<ChunkCoordinates, ChunkImage>> images) {
    LocalStatus status = new LocalStatus();
    SortedMap<ChunkKey, ChunkImage> mine =
        status.attempt(() -> checked(dataset, images.get()), new TreeMap<>());
    context.outcome().enter(Operation.WRITE, dataset.name(), "(encoded chunks)", status);
    try {
      // Values that were written earlier must not be stored over these images later.
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

  private static SortedMap<ChunkKey, ChunkImage> checked(
      ChunkedDataset dataset, Map<ChunkCoordinates, ChunkImage> images) {
    dataset.requirePresence();
    if (dataset.overwritten().isPresent()) {
      throw new UnsupportedFeatureException(
          "writing stored chunks whose elements refer to content outside them", dataset.name());
    }
    SortedMap<ChunkKey, ChunkImage> checked = new TreeMap<>();
    images.forEach((chunk, image) -> {
      check(dataset, chunk, image);
      checked.put(new ChunkKey(dataset.id(), chunk), image);
    });
    return checked;
  }

  private static void check(ChunkedDataset dataset, ChunkCoordinates chunk, ChunkImage image) {
    if (!dataset.isInside(chunk)) {
      throw new IllegalArgumentException(
          "chunk outside the dataset: chunk=" + chunk + " shape=" + dataset.shape());
    }
    var unused = dataset.index().records().checked(image.sections());
    ChunkFormat format = dataset.format(chunk);
    try {
      MemoryChunk content = format.decode(image);
      checkElements(dataset, format, chunk, content);
    } catch (FormatException e) {
      throw e.inObject(dataset.name() + " chunk " + chunk);
    }
  }

  private static void checkElements(
      ChunkedDataset dataset, ChunkFormat format, ChunkCoordinates chunk, MemoryChunk content) {
    if (format.definedness() == ChunkFormat.Definedness.ALL) {
      return;
    }
    if (content.definedCount() == 0) {
      throw new FormatException("defined elements of a stored chunk", "at least 1", 0);
    }
    // Elements outside the extent would become visible when the extent grows.
    long[] valid = dataset.grid().valid(chunk.scaled(), dataset.shape());
    long inside = format.clip(content, valid).definedCount();
    if (inside != content.definedCount()) {
      throw new FormatException(
          "defined elements outside the extent", 0, content.definedCount() - inside);
    }
  }

  private void store(
      ChunkedDataset dataset, SortedMap<ChunkKey, ChunkImage> mine, LocalStatus status) {
    Map<ChunkKey, Optional<ChunkRecord>> old = agreeOnWriters(mine, status);
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
      replaced += moves ? chunk.getValue().map(record -> record.sections().size()).orElse(0L) : 0;
    }
    SpaceAllocator space = context.space().allocator().copy();
    ChunkPublication publication = new ChunkPublication(context);
    Placed placed = publication.place(moving, replaced, space);
    publication.write(placed, status);
    // Independent reads on this rank see either all of the change or none of it.
    Optional<ChunkCache.Quiesced> quiet = context.quiescence().quiesceReads(status);
    try {
      context.outcome().agree(status);
      context.space().take(space, placed.unused());
      context.unpublished().putAll(placed.records());
      placed.records().keySet().forEach(context.cache()::forgetStored);
      fixed.forEach(context.cache()::putUnstored);
      old.forEach(context.previous()::putIfAbsent);
      context.directory().acceptOwners();
    } finally {
      quiet.ifPresent(ChunkCache.Quiesced::close);
    }
  }

  /**
   * Asks the index owners for the writer of each chunk. They choose the rank that reports the most
   * bytes. Each rank reports its rank number instead of a size, so the highest rank is chosen.
   *
   * @return the records of the stored chunks that this rank replaces, by chunk
   */
  private Map<ChunkKey, Optional<ChunkRecord>> agreeOnWriters(
      SortedMap<ChunkKey, ChunkImage> mine, LocalStatus status) {
    Exchange.Outbox questions = new Exchange.Outbox();
    Map<Integer, Integer> asked = new HashMap<>();
    for (ChunkKey key : mine.keySet()) {
      int indexOwner = context.directory().indexOwnerOf(key);
      key.encode(questions.to(indexOwner));
      questions.to(indexOwner).u64(context.ranks().rank());
      asked.merge(indexOwner, 1, Integer::sum);
    }
    Exchange.Inbox asks =
        Exchange.deliver(context.ranks(), questions, "question to an index owner");
    Exchange.Outbox replies =
        status.attempt(() -> context.directory().answer(asks), new Exchange.Outbox());
    Exchange.Inbox answers = Exchange.deliver(context.ranks(), replies, "answer of an index owner");
    Map<ChunkKey, Optional<ChunkRecord>> old = new TreeMap<>();
    for (int indexOwner : answers.senders()) {
      ByteReader answer = answers.from(indexOwner);
      // Skips the owners, one for each question; the assignments of this rank follow.
      answer.skip(4L * asked.getOrDefault(indexOwner, 0));
      while (answer.remaining() > 0) {
        Assignment chunk = Assignment.decode(answer);
        old.put(chunk.key(), chunk.record());
      }
    }
    return old;
  }
}
