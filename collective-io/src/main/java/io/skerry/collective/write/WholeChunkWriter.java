package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.CollectiveException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Stores chunks of a large write directly, without the chunk cache. A chunk qualifies if a single
 * rank writes all of it, so that neither another rank nor the older image is involved. The images
 * are written to free space immediately. Nothing in the file refers to them before the next flush,
 * which only sends their records to the index owners.
 *
 * <p>A chunk that has been stored directly since the last flush is not stored directly again, but
 * kept in memory. The file therefore does not grow with every write if a program overwrites it many
 * times without a flush.
 */
abstract sealed class WholeChunkWriter
    permits SingleRankWholeChunkWriter, CollectiveWholeChunkWriter {
  private final FileContext context;

  WholeChunkWriter(FileContext context) {
    this.context = context;
  }

  /**
   * A piece that covers a whole chunk.
   *
   * @param piece the only piece of that chunk in this write
   * @param old the record of the stored chunk; empty if the chunk is not stored
   */
  record Target(Piece piece, Optional<ChunkRecord> old) {
    long oldBytes() {
      return old.map(record -> record.sections().size()).orElse(0L);
    }
  }

  /**
   * Chooses the chunks owned by this rank that are stored directly; none if their total size is too
   * small. Local.
   */
  final SortedMap<ChunkKey, Target> choose(WritePlan plan, SortedMap<ChunkKey, Assignment> work) {
    SortedMap<ChunkKey, Target> chosen = new TreeMap<>();
    work.forEach((key, chunk) -> target(plan, chunk).ifPresent(target -> chosen.put(key, target)));
    long bytes = chosen.values().stream().mapToLong(target -> target.piece().valueBytes()).sum();
    return bytes < context.options().aheadLimit() ? new TreeMap<>() : chosen;
  }

  private Optional<Target> target(WritePlan plan, Assignment chunk) {
    ChunkKey key = chunk.key();
    boolean aloneHere =
        chunk.writers().size() == 1 && chunk.writers().getFirst().rank() == context.ranks().rank();
    List<Piece> pieces = plan.chunks().getOrDefault(key, List.of());
    boolean whole =
        aloneHere
            && pieces.size() == 1
            && pieces.getFirst().slice().coversWholeChunk()
            && pieces.getFirst().replacesElements();
    // A listener for overwritten values needs the old chunk.
    boolean listened = context.directory().dataset(key.dataset()).overwritten().isPresent();
    boolean unflushed = context.cache().unstored(key).isPresent() || context.unpublished().has(key);
    return whole
            && !listened
            && !unflushed
            && !context.directory().dataset(key.dataset()).hasFixedChunks()
        ? Optional.of(new Target(pieces.getFirst(), chunk.record()))
        : Optional.empty();
  }

  /**
   * Stores the targets of all ranks. Collective.
   *
   * @return the stored chunks of this rank, which take effect only with {@link #take} and {@link
   *     #publish}
   * @throws CollectiveException on all ranks if at least one of them failed; nothing has changed
   *     then
   */
  final Stored write(SortedMap<ChunkKey, Target> targets, LocalStatus status) {
    List<List<Target>> rounds =
        status.attempt(() -> rounds(List.copyOf(targets.values())), List.of());
    long agreed = context.outcome().agree(status, rounds.size())[0];
    Stored stored =
        new Stored(context.space().allocator().copy(), new ArrayList<>(), new TreeMap<>());
    writeRounds(rounds, agreed, stored, status);
    return stored;
  }

  /**
   * Places, encodes and writes the targets of all rounds. Collective.
   *
   * @param rounds the rounds of this rank
   * @param agreed the largest number of rounds of any rank
   * @param stored collects the result
   */
  abstract void writeRounds(
      List<List<Target>> rounds, long agreed, Stored stored, LocalStatus status);

  /** Returns the number of bytes of memory that a target occupies until it is written. */
  abstract long memoryBytes(Target target);

  /**
   * The result of a write.
   *
   * @param space the allocator of the file after the write
   * @param unused blocks that this rank allocated and did not use
   * @param records the records of the stored chunks
   */
  record Stored(
      SpaceAllocator space, List<Block> unused, SortedMap<ChunkKey, ChunkRecord> records) {}

  /**
   * Adopts the space allocation of a write, before the write is published. Local; all ranks call
   * it.
   */
  final void take(Stored stored) {
    context.space().take(stored.space(), stored.unused());
  }

  /** Makes the stored chunks the current versions of their chunks. Local; all ranks call it. */
  final void publish(Stored stored, SortedMap<ChunkKey, Target> targets) {
    context.unpublished().putAll(stored.records());
    targets.forEach((key, target) -> {
      context.previous().putIfAbsent(key, target.old());
      context.cache().forgetStored(key);
    });
  }

  private List<List<Target>> rounds(List<Target> targets) {
    return Rounds.split(targets, this::memoryBytes, context.options().roundLimit());
  }

  final FileContext context() {
    return context;
  }

  final ChunkFormat format(Target target) {
    ChunkKey key = target.piece().key();
    return context.directory().dataset(key.dataset()).format(key.chunk());
  }

  /** Returns true if the size of the image does not depend on the values. */
  final boolean hasKnownSize(Target target) {
    return format(target).encodedSize() instanceof EncodedSize.Exactly;
  }

  /** Starts encoding targets on the workers. */
  final WorkerPool.Begun<ChunkImage> encoding(List<Target> targets) {
    List<Callable<ChunkImage>> tasks = new ArrayList<>();
    targets.forEach(target -> tasks.add(() -> encode(target, HeapBytes::allocate)));
    return context.workers().begin(memory(targets), tasks);
  }

  /** Returns the caller's memory segments from which the targets are encoded. */
  static List<MemorySegment> memory(List<Target> targets) {
    Set<MemorySegment> found = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Target target : targets) {
      if (target.piece().change() instanceof WriteRequest.Values(MemorySegment packed, _)) {
        found.add(packed);
      }
    }
    return List.copyOf(found);
  }

  /** Allocates memory, which need not be zeroed. */
  @FunctionalInterface
  interface Allocation {
    MemorySegment take(long bytes);
  }

  /** Encodes a target; the image may be a slice of the caller's memory. */
  final ChunkImage encode(Target target, Allocation memory) {
    Piece piece = target.piece();
    ChunkFormat format = format(target);
    return format
        .encodeWritten(piece.slice().elements(), values(piece, format, memory))
        .orElseThrow(() -> new IllegalStateException("a chunk of values without an image"));
  }

  /**
   * Returns the values in the caller's memory if they can be written unchanged; otherwise a copy.
   */
  private static MemorySegment values(Piece piece, ChunkFormat format, Allocation memory) {
    Optional<MemorySegment> own =
        format.storedAt(0).isPresent() ? callersOwn(piece) : Optional.empty();
    if (own.isPresent()) {
      return own.get();
    }
    MemorySegment values = memory.take(piece.valueBytes());
    piece.pack(values);
    return values;
  }

  /** Returns the caller's memory if it already is the image of the chunk, otherwise empty. */
  final Optional<MemorySegment> callersImage(Target target) {
    boolean plain = hasKnownSize(target) && format(target).storedAt(0).isPresent();
    return plain ? callersOwn(target.piece()) : Optional.empty();
  }

  private static Optional<MemorySegment> callersOwn(Piece piece) {
    ChunkSlice slice = piece.slice();
    if (piece.change() instanceof WriteRequest.Values(var packed, var conversion)
        && conversion.isIdentity()
        && packed.isNative()
        && slice.contiguousPlace().isPresent()) {
      long at = slice.contiguousPlace().getAsLong() * piece.elementSize();
      return Optional.of(packed.asSlice(at, piece.valueBytes()));
    }
    return Optional.empty();
  }

  /** Returns the number of bytes that are free on this rank once the targets are published. */
  final long replacedBytes(List<Target> targets) {
    return targets.stream().mapToLong(Target::oldBytes).sum()
        + context.space().free().bytes(Use.DATA);
  }
}
