package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Merges the pieces of a round into new versions of the chunks that this rank owns. A stored chunk
 * is read only if it is not in memory and its old elements are needed. They are needed if the
 * pieces neither begin with a removal of the chunk nor cover it, or if its dataset has a listener
 * for overwritten elements.
 */
public final class ChunkMerger {
  private final FileContext context;
  private final ChunkImageReader images;

  ChunkMerger(FileContext context, ChunkImageReader images) {
    this.context = context;
    this.images = images;
  }

  /**
   * Merges pieces into chunks. Collective.
   *
   * @param incoming the pieces, in the order of their source ranks; they are applied in this order
   * @param work the chunks that this rank owns in this write, with their records
   * @param versions the versions of earlier rounds; receives the new version of each chunk
   * @param overwritten the collection to which old elements are added if complete values overwrite
   *     them and their dataset has a listener for them
   * @param leases the owner of the memory for the images that are read
   * @param status the status that records a failure of this rank
   */
  void merge(
      List<PieceCodec.Incoming> incoming,
      SortedMap<ChunkKey, Assignment> work,
      SortedMap<ChunkKey, MemoryChunk> versions,
      Queue<Overwritten> overwritten,
      Leases leases,
      LocalStatus status) {
    SortedMap<ChunkKey, List<PieceCodec.Incoming>> byChunk = new TreeMap<>();
    for (PieceCodec.Incoming piece : incoming) {
      byChunk.computeIfAbsent(piece.key(), k -> new ArrayList<>(1)).add(piece);
    }
    // The cache is searched only once, because readers may evict chunks at any time, and a chunk
    // that is not read here must still be in memory when it is changed.
    Map<ChunkKey, MemoryChunk> held = new HashMap<>();
    Map<ChunkKey, ChunkRecord> toFetch = new HashMap<>();
    byChunk.forEach((key, pieces) -> {
      inMemory(key, versions).ifPresent(version -> held.put(key, version));
      // The record of an unpublished chunk is newer than that of the index owner.
      Optional<ChunkRecord> record =
          context
              .unpublished()
              .recordOr(key, asked -> Objects.requireNonNull(work.get(asked)).record());
      boolean needed = hasListener(key) || !covered(pieces) && !begins(pieces);
      if (record.isPresent() && !held.containsKey(key) && needed) {
        toFetch.put(key, record.get());
      }
    });
    Map<ChunkRecord, ChunkImage> fetched = fetch(toFetch, leases, status);
    List<Callable<Map.Entry<ChunkKey, Optional<MemoryChunk>>>> tasks = new ArrayList<>();
    byChunk.forEach((key, pieces) ->
        tasks.add(() ->
            Map.entry(
                key,
                version(
                    key,
                    pieces,
                    Optional.ofNullable(held.get(key)),
                    Optional.ofNullable(toFetch.get(key)).map(fetched::get),
                    overwritten))));
    status.attempt(() -> {
      for (var result : context.workers().runAll(tasks)) {
        result.getValue().ifPresent(version -> versions.put(result.getKey(), version));
      }
    });
  }

  /**
   * Returns the newest version of a chunk, if it is in memory. For an unpublished chunk, the cache
   * may also hold, for readers, a copy of the older version that the last flush stored; that copy
   * is not returned.
   */
  private Optional<MemoryChunk> inMemory(ChunkKey key, SortedMap<ChunkKey, MemoryChunk> versions) {
    return Optional.ofNullable(versions.get(key))
        .or(() ->
            context.unpublished().has(key)
                ? context.chunks().unstored(key)
                : context.chunks().find(key));
  }

  private Map<ChunkRecord, ChunkImage> fetch(
      Map<ChunkKey, ChunkRecord> wanted, Leases leases, LocalStatus status) {
    // One reduction decides for all ranks: if no rank reads a chunk, there is no collective read.
    long[] anyone = context.ranks().allReduce(new long[] {wanted.isEmpty() ? 0 : 1}, Reduction.MAX);
    if (anyone[0] == 0) {
      return Map.of();
    }
    return images.read(List.copyOf(wanted.values()), leases, status);
  }

  /**
   * Returns whether the pieces completely overwrite every element of the chunk that is inside the
   * extent.
   */
  private static boolean covered(List<PieceCodec.Incoming> pieces) {
    RunSet union = RunSet.empty();
    for (PieceCodec.Incoming piece : pieces) {
      if (piece.kind() == PieceCodec.Kind.VALUES) {
        union = union.union(piece.elements());
      }
    }
    return union.count() == pieces.getFirst().validElements();
  }

  /** Returns whether the first piece removes the stored chunk. */
  private static boolean begins(List<PieceCodec.Incoming> pieces) {
    return pieces.getFirst().kind() == PieceCodec.Kind.REMOVAL;
  }

  private Optional<MemoryChunk> version(
      ChunkKey key,
      List<PieceCodec.Incoming> pieces,
      Optional<MemoryChunk> inMemory,
      Optional<ChunkImage> stored,
      Queue<Overwritten> overwritten) {
    ChunkedDataset dataset = context.directory().dataset(key.dataset());
    ChunkFormat format = dataset.format();
    Optional<MemoryChunk> base = inMemory.or(() -> stored.map(i -> dataset.decode(key.chunk(), i)));
    boolean creates = pieces.stream().anyMatch(ChunkMerger::hasValues);
    if (base.isEmpty() && !creates && !begins(pieces)) {
      return Optional.empty();
    }
    MemoryChunk version = base.orElseGet(format::newChunk);
    for (PieceCodec.Incoming piece : pieces) {
      version = applied(dataset, version, piece, overwritten);
    }
    return Optional.of(version);
  }

  /**
   * Applies a piece to a version and returns the new version.
   *
   * @param overwritten the collection to which the old elements are added if complete values
   *     overwrite them and the dataset has a listener for them
   */
  static MemoryChunk applied(
      ChunkedDataset dataset,
      MemoryChunk version,
      PieceCodec.Incoming piece,
      Collection<Overwritten> overwritten) {
    ChunkFormat format = dataset.format();
    if (piece.kind() == PieceCodec.Kind.VALUES && dataset.overwritten().isPresent()) {
      MemorySegment old = HeapBytes.allocate(piece.elements().count() * elementSize(format));
      format.read(version, piece.elements(), old);
      overwritten.add(new Overwritten(dataset, old));
    }
    MemoryChunk next = next(format, version, piece);
    EncodingLimit.require(dataset, next);
    return next;
  }

  private static MemoryChunk next(
      ChunkFormat format, MemoryChunk version, PieceCodec.Incoming piece) {
    return switch (piece.kind()) {
      case VALUES -> format.write(version, piece.elements(), piece.values());
      case PARTS -> format.write(version, piece.elements(), completed(format, version, piece));
      case ERASURE -> format.erase(version, piece.elements());
      case RESTORING -> version;
      case REMOVAL -> format.newChunk();
    };
  }

  private static boolean hasValues(PieceCodec.Incoming piece) {
    return piece.kind() == PieceCodec.Kind.VALUES || piece.kind() == PieceCodec.Kind.PARTS;
  }

  /**
   * Returns the complete elements of a piece that writes only parts of elements: the elements of
   * the old version, with the new values of these parts.
   */
  private static MemorySegment completed(
      ChunkFormat format, MemoryChunk version, PieceCodec.Incoming piece) {
    long count = piece.elements().count();
    MemorySegment elements = HeapBytes.allocate(count * elementSize(format));
    format.read(version, piece.elements(), elements);
    piece.parts().orElseThrow().copy(piece.values(), elements, count);
    return elements;
  }

  private boolean hasListener(ChunkKey key) {
    return context.directory().dataset(key.dataset()).overwritten().isPresent();
  }

  private static int elementSize(ChunkFormat format) {
    return format.datatype().size();
  }

  /**
   * Elements that a write has overwritten, for the listener of their dataset.
   *
   * @param dataset the dataset
   * @param packed the old elements
   */
  record Overwritten(ChunkedDataset dataset, MemorySegment packed) {
    /** Passes the elements to the listener, and returns the action that releases their content. */
    Runnable release() {
      return dataset.overwritten().map(listener -> listener.apply(packed)).orElse(() -> {});
    }
  }
}
