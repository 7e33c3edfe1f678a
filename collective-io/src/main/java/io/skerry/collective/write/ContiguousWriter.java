package io.skerry.collective.write;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Leases;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;

/**
 * Writes contiguous datasets. Each rank writes its part directly to the file, without chunk owners
 * or a cache. The first write of any elements allocates the block; everything that this write does
 * not cover is set to the fill value.
 *
 * <p>Values in the block are overwritten in place, without a journal: if the process is killed
 * during a write, the block may contain a mixture of old and new values. If other processes follow
 * the file, the old values are saved for them before each write. The file refers to a new block
 * only after the next flush.
 */
public final class ContiguousWriter {
  /** The minimum mean length, in bytes, of runs that count as long. */
  private static final long LONG_RUN = 64 << 10;

  /**
   * The maximum number of bytes that are copied or converted at a time, unless one element is
   * larger; they fit into a processor cache.
   */
  private static final long STAGE = 256 << 10;

  /**
   * The maximum gap, in bytes, between two short runs that are written together, and the maximum
   * length of these runs. Most systems have pages of this size, so a larger gap could write pages
   * that contain no changed element.
   */
  private static final long GAP = 4 << 10;

  private final FileContext context;
  private final Calls calls;

  /** The calls that write the runs of a part. */
  public enum Calls {
    /**
     * Independent calls of the only rank that has the file open. Long runs are written one after
     * another, without a copy if they are in native memory and need no conversion; short runs are
     * written together with short gaps between them.
     */
    INDEPENDENT,
    /**
     * Collective calls of all ranks, each with a file view of its runs. Independent writes write
     * their runs one after another, without gaps, since other ranks may change these.
     */
    COLLECTIVE
  }

  public ContiguousWriter(FileContext context, Calls calls) {
    this.context = context;
    this.calls = calls;
  }

  /**
   * Writes the parts of all ranks. Collective.
   *
   * @param dataset the dataset; its address is taken from the prepared write
   * @param mine a supplier of the prepared write of this rank; if it fails on one rank, the write
   *     fails on all ranks
   * @throws CollectiveException on all ranks if at least one of them failed; in this case, some of
   *     the values may already be in the file
   */
  public void write(ContiguousDataset dataset, Supplier<ContiguousDataset.Write> mine) {
    LocalStatus status = new LocalStatus();
    ContiguousDataset.Write prepared = status.attempt(mine::get, ContiguousDataset.Write.NOTHING);
    ContiguousDataset.Part part =
        status.attempt(() -> checked(dataset, prepared.part()), ContiguousDataset.Part.NOTHING);
    context.outcome().enter(Operation.WRITE, dataset.name(), "(one block)", status);
    context.meter().begin(Operation.WRITE, dataset.name());
    context.meter().departs(TransferReport.Departure.ONE_BLOCK);
    try {
      ByteWriter message =
          status.attempt(() -> WriteTurns.encode(part, dataset.shape()), ByteWriter.create());
      WriteTurns turns =
          WriteTurns.of(
              Exchange.allGatherSparse(context.ranks(), message, "part of a write"),
              context.ranks().size(),
              dataset.shape().rank());
      context.outcome().agree(status);
      if (turns.elements() == 0) {
        return;
      }
      context.changes().requireSync();
      if (prepared.address().isPresent()) {
        prepared.publication().run();
        ContiguousDataset stored = dataset.at(prepared.address().get());
        saveForReaders(stored, part, status);
        write(stored, part, turns, status);
        return;
      }
      Block block = context.space().allocator().allocateData(dataset.bytes());
      Runnable record = () -> {};
      boolean done = false;
      try {
        record = status.attempt(() -> prepared.recording().apply(block), record);
        fill(dataset.at(block.address()), turns, status);
        write(dataset.at(block.address()), part, turns, status);
        done = true;
      } finally {
        if (!done) {
          context.space().allocator().free(SpaceAllocator.Use.DATA, block);
        }
      }
      prepared.publication().run();
      record.run();
    } finally {
      context.outcome().leave();
    }
  }

  /** Saves the values that this write will replace for processes that read the last epoch. */
  private void saveForReaders(
      ContiguousDataset dataset, ContiguousDataset.Part part, LocalStatus status) {
    if (context.options().liveReaders().isEmpty()) {
      return;
    }
    long address = dataset.address().orElseThrow();
    List<Block> blocks =
        status.attempt(
            () ->
                ContiguousRuns.of(part, dataset.shape(), dataset.elementSize()).runs().stream()
                    .map(run -> new Block(address + run.offset(), run.bytes()))
                    .toList(),
            List.of());
    context.space().saveForReaders(new Block(address, dataset.bytes()), blocks, status);
  }

  private static ContiguousDataset.Part checked(
      ContiguousDataset dataset, ContiguousDataset.Part part) {
    Shape shape = dataset.shape();
    part.selection().checkWithin(shape);
    long expected =
        Math.multiplyExact(part.selection().count(shape), part.conversion().from().size());
    if (part.packed().byteSize() != expected) {
      throw new IllegalArgumentException(
          "as many values as selected elements are needed: expectedBytes="
              + expected
              + " actualBytes="
              + part.packed().byteSize());
    }
    return part;
  }

  /** Writes the part of this rank into an allocated block. Local. */
  void writeAlone(ContiguousDataset dataset, ContiguousDataset.Part part) {
    ContiguousDataset.Part mine = checked(dataset, part);
    writeAlone(dataset, ContiguousRuns.of(mine, dataset.shape(), dataset.elementSize()), mine);
  }

  private void write(
      ContiguousDataset dataset,
      ContiguousDataset.Part part,
      WriteTurns turns,
      LocalStatus status) {
    ContiguousRuns all =
        status.attempt(
            () -> ContiguousRuns.of(part, dataset.shape(), dataset.elementSize()),
            new ContiguousRuns(List.of()));
    if (calls == Calls.INDEPENDENT) {
      status.attempt(() -> writeAlone(dataset, all, part));
      context.outcome().agree(status);
      return;
    }
    long limit = wholeElements(context.options().roundLimit(), dataset);
    List<ContiguousRuns> cuts = status.attempt(() -> all.cut(limit), List.of());
    long rounds = context.outcome().agree(status, cuts.size())[0];
    context.meter().rounds(rounds * turns.count());
    for (int turn = 0; turn < turns.count(); turn++) {
      boolean now = turns.turns()[context.ranks().rank()] == turn;
      for (int round = 0; round < rounds; round++) {
        ContiguousRuns runs =
            now && round < cuts.size() ? cuts.get(round) : new ContiguousRuns(List.of());
        write(dataset.address().orElseThrow(), runs, part, turns, status);
      }
      context.outcome().agree(status);
    }
  }

  private static long wholeElements(long bytes, ContiguousDataset dataset) {
    return Math.max(dataset.elementSize(), bytes - bytes % dataset.elementSize());
  }

  /**
   * Writes the runs with independent calls, short runs together with short gaps between them if no
   * other rank has the file open. Runs that must be copied or converted are cut into parts of at
   * most {@link #STAGE} bytes, but of at least one element. A single thread writes, since many file
   * systems admit only one writing thread per file at a time.
   */
  private void writeAlone(
      ContiguousDataset dataset, ContiguousRuns all, ContiguousDataset.Part part) {
    long address = dataset.address().orElseThrow();
    boolean isSieved =
        calls == Calls.INDEPENDENT && all.totalBytes() / LONG_RUN < all.runs().size();
    if (!isSieved && part.packed().isNative() && part.conversion().isIdentity()) {
      for (ContiguousRuns.Run run : all.runs()) {
        context
            .file()
            .write(address + run.offset(), part.packed().asSlice(run.from(), run.bytes()));
      }
      return;
    }
    long limit = wholeElements(STAGE, dataset);
    try (Leases leases = new Leases(context.pool())) {
      MemorySegment stage = leases.take(limit);
      for (ContiguousRuns some : all.cut(limit)) {
        for (ContiguousRuns window : some.windows(isSieved ? GAP : 0, limit)) {
          write(address, window, part, stage);
        }
      }
    }
  }

  /** Writes the bytes from the first to the last run of a window by one call. */
  private void write(
      long address, ContiguousRuns window, ContiguousDataset.Part part, MemorySegment stage) {
    long first = window.runs().getFirst().offset();
    MemorySegment bytes = stage.asSlice(0, window.span());
    if (part.conversion().keepsBackground() || window.totalBytes() < window.span()) {
      context.file().read(address + first, bytes);
    }
    for (ContiguousRuns.Run run : window.runs()) {
      part.fetch(run.from(), bytes.asSlice(run.offset() - first, run.bytes()));
    }
    context.file().write(address + first, bytes);
  }

  private void write(
      long address,
      ContiguousRuns runs,
      ContiguousDataset.Part part,
      WriteTurns turns,
      LocalStatus status) {
    try (Leases leases = new Leases(context.pool())) {
      FileView view = status.attempt(() -> view(address, runs), FileView.EMPTY);
      MemorySegment slab = status.attempt(() -> leases.take(runs.totalBytes()), MemorySegment.NULL);
      if (turns.inParts() > 0) {
        boolean needed = part.conversion().keepsBackground();
        context.file().readAll(status, needed ? view : FileView.EMPTY, slab);
      }
      status.attempt(() -> {
        long at = 0;
        for (ContiguousRuns.Run run : runs.runs()) {
          part.fetch(run.from(), slab.asSlice(at, run.bytes()));
          at += run.bytes();
        }
      });
      context.file().writeAll(status, view, slab);
    }
  }

  private static FileView view(long address, ContiguousRuns runs) {
    FileView.Builder view = FileView.builder();
    for (ContiguousRuns.Run run : runs.runs()) {
      view.add(address + run.offset(), run.bytes());
    }
    return view.build();
  }

  /**
   * Fills a new block with the fill value, unless it is certain that this write covers the block
   * with complete elements. If the fill value is zero and the block begins at or beyond the end of
   * the file, the file is only extended, since the file system supplies the zeros.
   */
  private void fill(ContiguousDataset dataset, WriteTurns turns, LocalStatus status) {
    if (turns.covers(dataset.shape()) && turns.inParts() == 0) {
      return;
    }
    long address = dataset.address().orElseThrow();
    int ranks = context.ranks().size();
    long elements = dataset.shape().elements();
    long each = (elements + ranks - 1) / ranks;
    long step = Math.max(1, context.options().roundLimit() / dataset.elementSize());
    // The round limits of the ranks may differ, so the ranks agree on the number of rounds.
    long needed = Math.ceilDiv(each, step);
    long fileSize = status.attempt(() -> context.file().size(), 0L);
    long[] agreed = context.outcome().agree(status, fileSize, needed);
    if (dataset.isFilledWithZeros() && address >= agreed[0]) {
      context.file().setSize(status, address + dataset.bytes());
      context.outcome().agree(status);
      return;
    }
    for (long round = 0; round < agreed[1]; round++) {
      long done = round < needed ? round * step : each;
      long first = Math.min(elements, each * context.ranks().rank() + done);
      long last = Math.min(elements, each * context.ranks().rank() + Math.min(each, done + step));
      fill(dataset, first, Math.max(first, last), status);
    }
    context.outcome().agree(status);
  }

  private void fill(ContiguousDataset dataset, long first, long last, LocalStatus status) {
    long size = dataset.elementSize();
    try (Leases leases = new Leases(context.pool())) {
      MemorySegment slab =
          status.attempt(() -> leases.take((last - first) * size), MemorySegment.NULL);
      status.attempt(() -> dataset.fillUp(slab));
      FileView view =
          FileView.of(dataset.address().orElseThrow() + first * size, (last - first) * size);
      context.file().writeAll(status, view, slab);
    }
  }
}
