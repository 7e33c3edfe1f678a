package io.skerry.collective.live;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.Checksums;
import io.skerry.format.live.LiveSlot;
import io.skerry.format.live.LiveSlot.Record;
import io.skerry.format.live.LiveSlot.State;
import io.skerry.format.live.SavedBlocks;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a file at one epoch while ranks write later ones. After each read of the HDF5 file, {@link
 * #restore} replaces the bytes that a later flush has replaced by those that the flush has saved,
 * and checks that the epoch is still kept. The order is essential: the blocks are read before the
 * slot, since a flush publishes the saved blocks before it replaces the first of them.
 *
 * <p>If several flushes have replaced a byte since the epoch, the first of them has saved the value
 * of the epoch. Thread-safe; local.
 */
public final class EpochReader implements EpochView {
  /** The time for which an incomplete slot or a damaged block is read again. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration RETRY = Duration.ofMillis(1);

  private final Path hdf5;
  private final LiveFile file;
  private final long epoch;
  private volatile Loaded loaded = new Loaded(0, Map.of(), EarlierBytes.NONE);

  /**
   * The saved blocks that this reader knows.
   *
   * @param sequence the sequence number of the slot from which they were loaded
   * @param parts the tables of the flushes that are complete
   * @param earlier the bytes that were replaced after the epoch
   */
  private record Loaded(
      long sequence, Map<Record, List<LiveFile.Part>> parts, EarlierBytes earlier) {}

  private EpochReader(Path hdf5, LiveFile file, long epoch) {
    this.hdf5 = hdf5;
    this.file = file;
    this.epoch = epoch;
  }

  /**
   * Opens the live file of an HDF5 file to read at an epoch.
   *
   * @param hdf5 the path of the HDF5 file
   * @param epoch the number of the epoch
   * @param locking the use of locks; without required locks, the epoch is not announced
   * @throws EpochExpiredException if the epoch is no longer kept, or the file has no live file
   * @throws IOException if the file at the path of the live file must not be used
   */
  public static EpochReader open(Path hdf5, long epoch, Locking locking) throws IOException {
    LiveFile file =
        LiveFile.open(hdf5, OpenMode.READ, locking)
            .orElseThrow(() ->
                new EpochExpiredException(
                    "the file has no live file: epoch=" + epoch + " file=" + hdf5, epoch));
    EpochReader reader = new EpochReader(hdf5, file, epoch);
    boolean ready = false;
    try {
      // After the announcement, the writer keeps the epoch unless it has already dropped it.
      file.locks().hold(epoch);
      LiveSlot unused = reader.checkedSlot();
      ready = true;
      return reader;
    } finally {
      if (!ready) {
        reader.close();
      }
    }
  }

  /**
   * Checks that the HDF5 file has the superblock of the newest epoch, if that is the epoch of this
   * reader. Detects a live file that was left behind while another program changed the HDF5 file.
   */
  @Override
  public void checkUnchanged(MpiFile hdf5File) {
    LiveSlot slot = checkedSlot();
    if (slot.newest() != epoch) {
      return;
    }
    MemorySegment superblock = HeapBytes.allocate(slot.superblock().length());
    hdf5File.readAt(slot.superblock().position(), superblock);
    restore(slot.superblock().position(), superblock);
    if (Checksums.fingerprint(superblock) != slot.superblock().fingerprint()) {
      throw new FormatException(
              "superblock of epoch " + epoch + " in " + file.path(),
              "unchanged since that epoch; remove the live file if its writer has ended",
              "another superblock")
          .inFile(hdf5.toString());
    }
  }

  @Override
  public void requireKept() {
    LiveSlot unused = checkedSlot();
  }

  @Override
  public void restore(long position, MemorySegment bytes) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isRestored(position, bytes, end)) {
      LockSupport.parkNanos(RETRY.toNanos());
    }
  }

  /**
   * Tries to restore bytes once.
   *
   * @return false if the saved blocks changed meanwhile, so that they must be loaded again
   */
  private boolean isRestored(long position, MemorySegment bytes, long end) {
    LiveSlot slot = checkedSlot();
    try {
      List<EarlierBytes.Piece> pieces = earlier(slot).within(new Block(position, bytes.byteSize()));
      if (pieces.isEmpty()) {
        return true;
      }
      for (EarlierBytes.Piece piece : pieces) {
        copy(piece, position, bytes);
      }
    } catch (FormatException e) {
      // The space of a record is used again if its flush has failed, or if the epoch has expired.
      loaded = new Loaded(0, Map.of(), EarlierBytes.NONE);
      if (checkedSlot().sequence() == slot.sequence() && System.nanoTime() - end > 0) {
        throw e;
      }
      return false;
    }
    // The saved bytes were read after the slot, so the epoch may have expired meanwhile.
    LiveSlot unused = checkedSlot();
    return true;
  }

  private void copy(EarlierBytes.Piece piece, long position, MemorySegment bytes) {
    SavedBlocks.Saved saved = piece.saved();
    MemorySegment content = HeapBytes.allocate(saved.block().length());
    file.read(piece.offset(), content);
    if (Checksums.fingerprint(content) != saved.fingerprint()) {
      throw new FormatException("saved block", "the content of its fingerprint", saved.block())
          .inFile(file.path().toString())
          .atAddress(piece.offset());
    }
    MemorySegment.copy(
        content,
        piece.range().address() - saved.block().address(),
        bytes,
        piece.range().address() - position,
        piece.range().length());
  }

  /**
   * Returns the slot, after checking that the epoch can be read.
   *
   * @throws EpochExpiredException if the epoch is no longer kept
   * @throws FormatException if no complete slot was found in time
   */
  private LiveSlot checkedSlot() {
    LiveSlot slot = slot(file);
    boolean isEnded =
        slot.state() == State.ENDED
            || slot.state() == State.CLOSED && !ClosedFile.isUnchanged(hdf5, slot.closed());
    if (isEnded || epoch < slot.oldest() || epoch > slot.newest()) {
      throw new EpochExpiredException(
          "the epoch has expired: epoch=%d oldest=%d newest=%d state=%s file=%s"
              .formatted(epoch, slot.oldest(), slot.newest(), slot.state(), hdf5),
          epoch);
    }
    return slot;
  }

  /**
   * Reads the slot of a live file. Both slots may seem incomplete for a moment while they are being
   * written, so they are read again.
   */
  static LiveSlot slot(LiveFile file) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Optional<LiveSlot> slot = file.slot();
      if (slot.isPresent()) {
        return slot.get();
      }
      if (System.nanoTime() - end > 0) {
        throw new FormatException("live file", "a complete slot", "none")
            .inFile(file.path().toString());
      }
      LockSupport.parkNanos(RETRY.toNanos());
    }
  }

  /** Returns the bytes that flushes have replaced after the epoch, according to a slot. */
  private EarlierBytes earlier(LiveSlot slot) {
    Loaded now = loaded;
    return now.sequence() == slot.sequence() ? now.earlier() : load(slot);
  }

  private synchronized EarlierBytes load(LiveSlot slot) {
    Loaded before = loaded;
    if (before.sequence() == slot.sequence()) {
      return before.earlier();
    }
    Map<Record, List<LiveFile.Part>> complete = new HashMap<>();
    List<LiveFile.Part> all = new ArrayList<>();
    for (Record record : slot.records()) {
      if (record.epoch() > epoch) {
        List<LiveFile.Part> parts = before.parts().get(record);
        if (parts == null) {
          parts = file.parts(record);
        }
        // The record of a flush in progress may be replaced if that flush fails.
        if (record.epoch() <= slot.newest()) {
          complete.put(record, parts);
        }
        all.addAll(parts);
      }
    }
    Loaded after = new Loaded(slot.sequence(), Map.copyOf(complete), EarlierBytes.of(all));
    loaded = after;
    return after.earlier();
  }

  /** Closes the live file. */
  @Override
  public void close() {
    try (file) {
      file.locks().release(epoch);
    }
  }
}
