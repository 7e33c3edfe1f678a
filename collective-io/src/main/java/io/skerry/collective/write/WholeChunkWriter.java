package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.CollectiveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stores chunks of a large write directly, bypassing the chunk cache. A chunk qualifies only if a
 * single rank writes all of it, so that neither another rank nor the older image is involved. The
 * images are written to free space immediately. Nothing in the file refers to them before the next
 * flush.
 *
 * <p>A chunk that has been stored directly since the last flush is not stored directly again, but
 * kept in memory. The file therefore does not grow with every write if a program overwrites the
 * same chunk many times without a flush.
 */
abstract sealed class WholeChunkWriter
    permits SingleRankWholeChunkWriter, CollectiveWholeChunkWriter {
  private final FileContext context;
  private final UnsharedPieces unshared;
  private final WholeChunkEncoder encoder;

  WholeChunkWriter(FileContext context) {
    this.context = context;
    this.unshared = new UnsharedPieces(context);
    this.encoder = new WholeChunkEncoder(context);
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
    ChunkedDataset dataset = context.directory().dataset(chunk.key().dataset());
    // A listener for overwritten values needs the old chunk.
    boolean listened = dataset.overwritten().isPresent();
    return listened || dataset.hasFixedChunks()
        ? Optional.empty()
        : unshared
            .find(plan, chunk)
            .filter(piece -> piece.slice().coversWholeChunk())
            .map(piece -> new Target(piece, chunk.record()));
  }

  /**
   * Stores the targets of all ranks. Collective.
   *
   * @return the stored chunks of this rank, which take effect only when {@link #take} and {@link
   *     #publish} are called
   * @throws CollectiveException on all ranks if at least one of them failed; in this case, no chunk
   *     has changed
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
   * @param stored the result, to which the allocated blocks and the records are added
   */
  abstract void writeRounds(
      List<List<Target>> rounds, long agreed, Stored stored, LocalStatus status);

  /** Returns the number of bytes of memory that a target occupies until it is written. */
  abstract long memoryBytes(Target target);

  /**
   * The result of a write.
   *
   * @param space the allocator of the file after the write
   * @param unused the blocks that this rank allocated but did not use
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
      context.chunks().forgetStored(key);
    });
  }

  private List<List<Target>> rounds(List<Target> targets) {
    return Rounds.split(targets, this::memoryBytes, context.options().roundLimit());
  }

  final FileContext context() {
    return context;
  }

  final WholeChunkEncoder encoder() {
    return encoder;
  }

  /**
   * Returns the number of bytes of file space for chunks that are free on this rank, plus the
   * number of bytes of the stored chunks that the targets replace.
   */
  final long replacedBytes(List<Target> targets) {
    return targets.stream().mapToLong(Target::oldBytes).sum()
        + context.space().free().bytes(Use.DATA);
  }
}
