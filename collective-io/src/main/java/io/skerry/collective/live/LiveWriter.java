package io.skerry.collective.live;

import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.live.LiveSlot;
import io.skerry.format.live.LiveSlot.FileStamp;
import io.skerry.format.live.LiveSlot.Record;
import io.skerry.format.live.LiveSlot.State;
import io.skerry.format.live.LiveSlot.SuperblockPrint;
import io.skerry.format.live.SavedBlocks;
import io.skerry.format.live.SavedBlocks.Content;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions.LiveReaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Publishes the epochs of a file that is open for writing, so that other processes can read one
 * epoch while the next one is written. The steps of a flush, in addition to those of the commit:
 *
 * <ol>
 *   <li>Before the journal is completed and any block is replaced, all ranks append the content of
 *       the blocks that they will replace to the live file ({@link #save}). Rank 0 then publishes
 *       the record in the slot.
 *   <li>After the new superblock is written, and before the journal is cleared, rank 0 publishes
 *       the new epoch ({@link #publish}). It then drops epochs that no reader has announced, or
 *       that exceed a limit.
 *   <li>The space that the flush has released is held until the epochs that need it are dropped.
 * </ol>
 *
 * <p>Data that are overwritten in place between two flushes are saved in the same way, in the
 * record of the next epoch. The model of the protocol is {@code docs/models/live-readers.als}.
 *
 * <p>The state is equal on all ranks, except for the fingerprint of the superblock, which only rank
 * 0 knows.
 */
public final class LiveWriter implements AutoCloseable {
  /** The maximum size of a saved block; a reader always reads a saved block as a whole. */
  private static final long MOST_SAVED = 64 << 10;

  /** The maximum number of blocks in a part, which is encoded in memory; at most 16 MiB. */
  private static final int MOST_IN_PART = 256;

  private final Communicator ranks;
  private final CollectiveOutcome outcome;
  private final LiveFile file;
  private final LiveReaders limits;
  private final long base;

  private LiveSlot current;
  private long sequence;

  /** The place of the next slot, 0 or 1; used on rank 0 only. */
  private int place;

  /** The bytes that this rank has saved since the last epoch; only the first copy counts. */
  private final SavedRanges savedHere = new SavedRanges();

  /** Ranges that failed attempts may have published since the last epoch. */
  private final List<Record> unfinished = new ArrayList<>();

  /** The times at which epochs were published, by {@link System#nanoTime}; used on rank 0 only. */
  private final TreeMap<Long, Long> times = new TreeMap<>();

  /**
   * Creates the object that publishes the epochs of an open file. Local.
   *
   * @param file the live file, as {@link LiveFile#create} has created it on rank 0
   * @param base the base address of the HDF5 file
   * @param superblock the superblock of the file; empty for a new file
   */
  public LiveWriter(
      Communicator ranks,
      CollectiveOutcome outcome,
      LiveFile file,
      LiveReaders limits,
      long base,
      MemorySegment superblock) {
    this.ranks = ranks;
    this.outcome = outcome;
    this.file = file;
    this.limits = limits;
    this.base = base;
    this.current = file.slot().orElseThrow(() -> damaged(file));
    this.sequence = 1;
    this.place = 1;
    if (superblock.byteSize() > 0) {
      // Until now, the slot had no superblock, so no reader could use it.
      current = next(current.newest(), current.oldest(), print(superblock), current.records());
      if (ranks.rank() == 0) {
        write(current);
      }
    }
    times.put(current.newest(), System.nanoTime());
  }

  private static IllegalStateException damaged(LiveFile file) {
    return new IllegalStateException("the live file has no slot: live=" + file.path());
  }

  private SuperblockPrint print(MemorySegment superblock) {
    return new SuperblockPrint(
        base, (int) superblock.byteSize(), Checksums.fingerprint(superblock));
  }

  private LiveSlot next(
      long newest, long oldest, SuperblockPrint superblock, List<Record> records) {
    sequence++;
    return current.with(sequence, newest, oldest, superblock, records);
  }

  /** Writes a slot on rank 0; the slot before it stays complete. */
  private void write(LiveSlot slot) {
    file.write(slot, place);
    file.sync();
    place = 1 - place;
  }

  /** Returns the number of the last published epoch. Local. */
  public long newest() {
    return current.newest();
  }

  /**
   * Returns whether data were overwritten in place since the last epoch, so that a flush has
   * something to publish. Equal on all ranks; local.
   */
  public boolean hasOverwritten() {
    return !current.records().isEmpty() && current.records().getLast().epoch() > current.newest();
  }

  /** Returns the oldest epoch that can still be read. Local. */
  public long oldest() {
    return current.oldest();
  }

  /**
   * Saves the content of blocks before they are replaced, and publishes that they are saved. Does
   * nothing if no rank passes a block. Collective.
   *
   * @param source the bytes of the HDF5 file
   * @param blocks the blocks that this rank will replace
   * @throws CollectiveException on all ranks if one of them failed before or during this call;
   *     nothing may then be replaced
   */
  public void save(ByteSource source, List<Block> blocks, LocalStatus status) {
    long epoch = current.newest() + 1;
    List<List<Block>> parts =
        status.attempt(
            () -> parts(blocks.stream().flatMap(block -> savedHere.without(block)).toList()),
            List.of());
    long bytes = parts.stream().mapToLong(LiveWriter::length).sum();
    long at = ranks.exclusiveScan(bytes, Reduction.SUM);
    long total = outcome.agree(status, at + bytes)[0];
    if (total == 0) {
      return;
    }
    Record record = SavedSpace.extended(current.records(), unfinished, epoch, total);
    unfinished.add(new Record(epoch, record.end() - total, total));
    status.attempt(() -> {
      long next = record.end() - total + at;
      for (List<Block> part : parts) {
        MemorySegment encoded = encode(source, part, epoch);
        file.writePart(next, encoded);
        next += encoded.byteSize();
      }
      if (!parts.isEmpty()) {
        file.sync();
      }
    });
    outcome.agree(status);
    List<Record> records = new ArrayList<>(current.records());
    records.removeIf(other -> other.epoch() == epoch && other.offset() == record.offset());
    records.add(record);
    long oldest = oldestWith(records, current.oldest());
    records.removeIf(other -> other.epoch() <= oldest);
    LiveSlot saved = next(current.newest(), oldest, current.superblock(), records);
    if (ranks.rank() == 0) {
      status.attempt(() -> write(saved));
    }
    outcome.agree(status);
    current = saved;
    unfinished.clear();
    blocks.forEach(savedHere::add);
  }

  /** Cuts blocks and distributes them over parts that are encoded one after another. */
  private static List<List<Block>> parts(List<Block> blocks) {
    List<List<Block>> parts = new ArrayList<>();
    List<Block> part = new ArrayList<>();
    for (Block block : blocks) {
      for (long at = block.address(); at < block.end(); at += MOST_SAVED) {
        if (part.size() == MOST_IN_PART) {
          parts.add(part);
          part = new ArrayList<>();
        }
        part.add(new Block(at, Math.min(MOST_SAVED, block.end() - at)));
      }
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  private static long length(List<Block> part) {
    return SavedBlocks.length(part.size(), part.stream().mapToLong(Block::length).sum());
  }

  private MemorySegment encode(ByteSource source, List<Block> blocks, long epoch) {
    List<Content> contents = new ArrayList<>();
    for (Block block : blocks) {
      contents.add(
          new Content(base + block.address(), source.read(block.address(), block.length())));
    }
    return SavedBlocks.encode(epoch, contents);
  }

  /**
   * Returns the oldest epoch that can be kept if a slot must hold the given records.
   *
   * @throws IllegalStateException if the records of one epoch do not fit into a slot
   */
  private long oldestWith(List<Record> records, long oldest) {
    if (records.size() <= LiveSlot.MOST_RECORDS) {
      return oldest;
    }
    long dropped = records.get(records.size() - LiveSlot.MOST_RECORDS - 1).epoch();
    if (dropped > current.newest()) {
      throw new IllegalStateException(
          "too many writes in place since the last flush: live=" + file.path());
    }
    return dropped;
  }

  /**
   * Publishes a new epoch, after all its blocks and its superblock are on disk. Drops earlier
   * epochs that exceed a limit, and those before the oldest one that a reader has announced.
   * Collective.
   *
   * @param superblock the superblock of the epoch, equal on all ranks
   * @throws CollectiveException on all ranks if one of them failed before or during this call
   */
  public void publish(BlockImage superblock, LocalStatus status) {
    long epoch = current.newest() + 1;
    long now = System.nanoTime();
    long chosen = ranks.rank() == 0 ? status.attempt(() -> oldest(epoch, now), 0L) : 0;
    long oldest = outcome.agree(status, chosen)[0];
    List<Record> records =
        current.records().stream().filter(record -> record.epoch() > oldest).toList();
    LiveSlot slot = next(epoch, oldest, print(superblock.bytes()), records);
    if (ranks.rank() == 0) {
      status.attempt(() -> write(slot));
    }
    outcome.agree(status);
    current = slot;
    savedHere.clear();
    times.put(epoch, now);
    times.headMap(oldest, false).clear();
  }

  /** Returns the oldest epoch to keep when an epoch is published; used on rank 0. */
  private long oldest(long epoch, long now) {
    // The first epoch of a new file has no epoch before it that could be read.
    long first = current.superblock().length() == 0 ? epoch : current.oldest();
    long oldest = Math.max(first, epoch - limits.epochs());
    while (oldest < epoch
        && (isTooOld(oldest, now)
            || savedAfter(oldest) > limits.bytes()
            || !file.locks().isRead(oldest))) {
      oldest++;
    }
    return oldest;
  }

  private boolean isTooOld(long epoch, long now) {
    Long replaced = times.get(epoch + 1);
    return replaced != null && Duration.ofNanos(now - replaced).compareTo(limits.age()) > 0;
  }

  private long savedAfter(long epoch) {
    return current.records().stream()
        .filter(record -> record.epoch() > epoch)
        .mapToLong(Record::length)
        .sum();
  }

  /**
   * Marks the live file as closed and removes it. Called on rank 0 only, after the last flush,
   * while the HDF5 file is still locked. Local.
   *
   * @param hdf5 the path of the HDF5 file
   */
  public void finish(Path hdf5) {
    try {
      file.finish(current, State.CLOSED, ClosedFile.stamped(hdf5));
    } catch (NoSuchFileException e) {
      // The HDF5 file was removed while it was open.
      end();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private void end() {
    try {
      file.finish(current, State.ENDED, FileStamp.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Closes the live file of this rank, which stays as it is. Local. */
  @Override
  public void close() {
    file.close();
  }
}
