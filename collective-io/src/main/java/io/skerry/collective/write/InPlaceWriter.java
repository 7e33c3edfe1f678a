package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.FormatException;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes pieces directly into stored chunks. The chunks must have a fixed size, exist in the file,
 * be clean on all ranks, and belong to a dataset without a listener for overwritten elements. Only
 * one rank may write to each chunk, with a single piece of complete elements. Such writes exchange
 * no pieces, bypass the cache, and allocate no space.
 */
final class InPlaceWriter {
  private final FileContext context;
  private final UnsharedPieces unshared;

  InPlaceWriter(FileContext context) {
    this.context = context;
    this.unshared = new UnsharedPieces(context);
  }

  /**
   * A piece and the stored chunk that it changes.
   *
   * @param piece the only piece of the chunk in this write
   * @param record the record of the chunk
   */
  record Target(Piece piece, ChunkRecord record) {}

  /** Returns whether chunks of a dataset can be written in place at all. Local. */
  boolean mayWrite(ChunkedDataset dataset) {
    return context.options().overwriting() == FileOptions.Overwriting.IN_PLACE
        && dataset.overwritten().isEmpty()
        && dataset.format().storedAt(0).isPresent();
  }

  /**
   * Writes pieces without involving other ranks. No other thread of this rank may write to the
   * datasets at the same time. Local.
   */
  void writeAlone(SortedMap<ChunkKey, Target> targets) {
    for (List<Target> now : rounds(targets)) {
      long total = now.stream().mapToLong(t -> t.piece().valueBytes()).sum();
      try (Leases leases = new Leases(context.pool())) {
        MemorySegment slab = leases.take(total);
        FileView view = pack(now, slab);
        long at = 0;
        for (int i = 0; i < view.blocks(); i++) {
          context.file().write(view.offset(i), slab.asSlice(at, view.length(i)));
          at += view.length(i);
        }
      } finally {
        // A copy that another thread loads during the write may contain only some of the new
        // values.
        now.forEach(target -> context.chunks().forgetStored(target.piece().key()));
      }
    }
  }

  /** Returns the chunks owned by this rank that can be written in place. Local. */
  SortedMap<ChunkKey, Target> choose(WritePlan plan, SortedMap<ChunkKey, Assignment> work) {
    SortedMap<ChunkKey, Target> chosen = new TreeMap<>();
    if (context.options().overwriting() == FileOptions.Overwriting.BY_FLUSH) {
      return chosen;
    }
    work.forEach((key, chunk) -> target(plan, chunk).ifPresent(target -> chosen.put(key, target)));
    return chosen;
  }

  private Optional<Target> target(WritePlan plan, Assignment chunk) {
    ChunkKey key = chunk.key();
    if (chunk.record().isEmpty()
        || !context.directory().dataset(key.dataset()).supportsInPlaceUpdate()
        || format(key).storedAt(0).isEmpty()) {
      return Optional.empty();
    }
    return unshared
        .find(plan, chunk)
        .filter(piece -> piece.change() instanceof WriteRequest.Values)
        .map(piece -> new Target(piece, chunk.record().get()));
  }

  /**
   * Writes the pieces of all ranks. Cached copies of the stored chunks of the datasets are then out
   * of date, so all ranks drop them. Collective.
   *
   * @param datasets the datasets of the requests, which are the same on all ranks
   * @throws CollectiveException on all ranks if at least one of them failed; in this case, some
   *     pieces may already be in the file
   */
  void write(
      SortedMap<ChunkKey, Target> targets, Set<ChunkedDataset> datasets, LocalStatus status) {
    List<List<Target>> rounds = status.attempt(() -> rounds(targets), List.of());
    long agreed = context.outcome().agree(status, rounds.size())[0];
    for (int round = 0; round < agreed; round++) {
      List<Target> now = round < rounds.size() ? rounds.get(round) : List.of();
      long total = now.stream().mapToLong(t -> t.piece().valueBytes()).sum();
      try (Leases leases = new Leases(context.pool())) {
        MemorySegment slab = status.attempt(() -> leases.take(total), MemorySegment.NULL);
        FileView view = status.attempt(() -> pack(now, slab), FileView.EMPTY);
        context.file().writeAll(status, view, slab);
      }
    }
    try {
      context.outcome().agree(status);
    } finally {
      // Copies are dropped only after all ranks have written, since a chunk that was prefetched
      // before that may contain old bytes.
      context.forgetStoredCopies(datasets);
    }
  }

  private ChunkFormat format(ChunkKey key) {
    return context.directory().dataset(key.dataset()).format(key.chunk());
  }

  /**
   * Orders the targets by address and divides them into rounds.
   *
   * @throws FormatException if two chunks overlap
   */
  private List<List<Target>> rounds(SortedMap<ChunkKey, Target> targets) {
    TreeMap<Long, Target> byAddress = new TreeMap<>();
    for (Target target : targets.values()) {
      Optional<Target> other =
          Optional.ofNullable(byAddress.put(target.record().address(), target));
      if (other.isPresent()) {
        throw damaged(
            target.piece().key(),
            "two chunks have the same address",
            "an address that differs from that of chunk " + other.get().piece().key().chunk(),
            target.record().address() + "");
      }
    }
    // A chunk outside the file, including one with a negative address, is refused when it is
    // packed.
    long end = Long.MIN_VALUE;
    for (Target target : byAddress.values()) {
      long address = target.record().address();
      if (address < end) {
        throw damaged(
            target.piece().key(), "chunks overlap", "an address from " + end, address + "");
      }
      end = address + target.record().sections().size();
    }
    return Rounds.split(
        byAddress.values(), target -> target.piece().valueBytes(), context.options().roundLimit());
  }

  private FileView pack(List<Target> round, MemorySegment slab) {
    FileView.Builder view = FileView.builder();
    long fileSize = context.file().size();
    long at = 0;
    for (Target target : round) {
      Piece piece = target.piece();
      check(piece.key(), target.record(), fileSize);
      piece.pack(slab.asSlice(at, piece.valueBytes()));
      at += piece.valueBytes();
      RunSet elements = piece.slice().elements();
      for (int i = 0; i < elements.runs(); i++) {
        long from = format(piece.key()).storedAt(elements.start(i)).orElseThrow();
        view.add(target.record().address() + from, elements.length(i) * piece.elementSize());
      }
    }
    return view.build();
  }

  private void check(ChunkKey key, ChunkRecord record, long fileSize) {
    ChunkedDataset dataset = context.directory().dataset(key.dataset());
    long expected = dataset.format().elements() * dataset.format().datatype().size();
    long actual = record.sections().size();
    if (actual != expected || record.address() < 0 || record.address() > fileSize - actual) {
      throw damaged(
          key,
          "a chunk record does not fit the file",
          expected + " bytes within 0.." + fileSize,
          actual + " bytes at " + record.address());
    }
  }

  private FormatException damaged(ChunkKey key, String what, String expected, String actual) {
    return new FormatException(what, expected, actual)
        .inObject(context.directory().dataset(key.dataset()).name() + " chunk " + key.chunk());
  }
}
