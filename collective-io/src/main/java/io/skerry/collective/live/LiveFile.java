package io.skerry.collective.live;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.collective.trust.CompanionPlace;
import io.skerry.exception.FormatException;
import io.skerry.format.live.LiveSlot;
import io.skerry.format.live.LiveSlot.FileStamp;
import io.skerry.format.live.SavedBlocks;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The live file beside an HDF5 file, which this rank has open on its own. {@link LiveSlot} and
 * {@link SavedBlocks} define its content; {@link EpochLocks} the locks by which readers announce
 * their epochs. Reads and writes are positional and may be made from any thread. Local.
 *
 * <p>All readers in this process share one object for each live file: POSIX releases all locks of a
 * process on a file when the process closes any of its descriptors of that file.
 */
public final class LiveFile implements AutoCloseable {
  private static final Map<Object, LiveFile> READ = new HashMap<>();

  private final Path path;
  private final MpiFile file;
  private final EpochLocks locks;
  private int readers;

  private LiveFile(Path path, MpiFile file, EpochLocks locks) {
    this.path = path;
    this.file = file;
    this.locks = locks;
  }

  /**
   * Creates the live file of an HDF5 file, with an initial slot.
   *
   * @param hdf5 the path of the HDF5 file
   * @param locking the use of locks; without required locks, every epoch counts as read
   * @throws IOException if there is a file at that path, or it cannot be created
   */
  public static LiveFile create(Path hdf5, Locking locking, LiveSlot initial) throws IOException {
    CompanionPlace place = CompanionPlace.ofLiveFile(hdf5);
    if (place.isTaken()) {
      throw new IOException("a file with the name of the live file exists: live=" + place.path());
    }
    place.create();
    boolean ready = false;
    try {
      place.check();
      LiveFile created = openAt(place.path(), OpenMode.WRITE, locking);
      try {
        created.file.writeAt(0, MemorySegment.ofArray(new byte[(int) LiveSlot.HEAD]));
        created.write(initial, 0);
        ready = true;
        return created;
      } finally {
        if (!ready) {
          created.close();
        }
      }
    } finally {
      if (!ready) {
        Files.deleteIfExists(place.path());
      }
    }
  }

  /**
   * Opens the live file of an HDF5 file.
   *
   * @param hdf5 the path of the HDF5 file
   * @param locking the use of locks; without required locks, no epoch is announced
   * @return the live file; empty if there is no file at its path
   * @throws IOException if the file at its path is not regular, has a second hard link, or belongs
   *     to another user in a folder that several users share
   */
  public static Optional<LiveFile> open(Path hdf5, OpenMode mode, Locking locking)
      throws IOException {
    CompanionPlace place = CompanionPlace.ofLiveFile(hdf5);
    if (!place.isTaken()) {
      return Optional.empty();
    }
    try {
      place.check();
      return mode == OpenMode.READ
          ? shared(place, locking)
          : Optional.of(openAt(place.path(), mode, locking));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Returns the object that all readers in this process share; empty if the file was removed. */
  private static Optional<LiveFile> shared(CompanionPlace place, Locking locking)
      throws IOException {
    synchronized (READ) {
      Optional<Object> identity = place.identity();
      if (identity.isEmpty()) {
        return Optional.empty();
      }
      LiveFile open = READ.get(identity.get());
      if (open == null) {
        open = openAt(place.path(), OpenMode.READ, locking);
        if (!place.identity().equals(identity)) {
          open.closeAll();
          return Optional.empty();
        }
        READ.put(identity.get(), open);
      }
      open.readers++;
      return Optional.of(open);
    }
  }

  private static LiveFile openAt(Path path, OpenMode mode, Locking locking) throws IOException {
    EpochLocks locks = EpochLocks.open(path, mode, locking);
    boolean ready = false;
    try {
      MpiFile file = Communicator.self().openFile(path, mode, Map.of());
      ready = true;
      return new LiveFile(path, file, locks);
    } finally {
      if (!ready) {
        locks.close();
      }
    }
  }

  /**
   * Ends the live file of an HDF5 file and removes it, because the HDF5 file is about to be changed
   * without it. Readers then give up their epochs. Does nothing if there is no live file; a file
   * with another content is left unchanged. The caller must hold the lock of the HDF5 file.
   *
   * @param hdf5 the path of the HDF5 file
   * @return the last epoch number that the live file has used; 0 if there is none
   * @throws IOException if the file at the path of the live file must not be used
   */
  public static long end(Path hdf5) throws IOException {
    CompanionPlace place = CompanionPlace.ofLiveFile(hdf5);
    if (!place.isTaken() || !Files.isRegularFile(place.path())) {
      return 0;
    }
    place.check();
    try (LiveFile live = openAt(place.path(), OpenMode.WRITE, Locking.NONE)) {
      Optional<LiveSlot> slot = live.slot();
      if (slot.isEmpty()) {
        if (live.isUnfinished()) {
          Files.deleteIfExists(place.path());
        }
        return 0;
      }
      live.finish(slot.get(), LiveSlot.State.ENDED, FileStamp.NONE);
      long last = slot.get().newest();
      for (LiveSlot.Record record : slot.get().records()) {
        last = Math.max(last, record.epoch());
      }
      return last;
    }
  }

  /** Closes and removes a live file whose HDF5 file could not be opened. Called on rank 0 only. */
  public void discard() throws IOException {
    try (this) {
      Optional<LiveSlot> last = slot();
      if (last.isPresent()) {
        finish(last.get(), LiveSlot.State.ENDED, FileStamp.NONE);
      }
    }
  }

  /** Returns whether the creation of this file was interrupted before its first slot. */
  private boolean isUnfinished() {
    MemorySegment head = HeapBytes.allocate(Math.min(file.size(), LiveSlot.HEAD));
    file.readAt(0, head);
    return head.mismatch(MemorySegment.ofArray(new byte[(int) head.byteSize()])) == -1;
  }

  /**
   * Sets the final state of the live file in both slots, one after the other, and removes the file.
   */
  void finish(LiveSlot last, LiveSlot.State state, FileStamp stamp) throws IOException {
    int first = LiveSlot.freePlace(head());
    for (int i = 0; i < 2; i++) {
      write(last.finished(state, last.sequence() + 1 + i, stamp), first ^ i);
      sync();
    }
    Files.deleteIfExists(path);
  }

  private MemorySegment head() {
    MemorySegment head = HeapBytes.allocate(LiveSlot.HEAD);
    file.readAt(0, head);
    return head;
  }

  /** Returns the path of the live file. */
  Path path() {
    return path;
  }

  /**
   * Returns the valid slot; empty if the file is too short or has no complete slot.
   *
   * @throws FormatException if a complete slot has an unknown version, or contradicts itself; the
   *     exception names the file
   */
  public Optional<LiveSlot> slot() {
    if (file.size() < LiveSlot.HEAD) {
      return Optional.empty();
    }
    try {
      return LiveSlot.newest(head());
    } catch (FormatException e) {
      throw e.inFile(path.toString());
    }
  }

  /**
   * Writes a slot.
   *
   * @param place 0 or 1
   */
  void write(LiveSlot slot, int place) {
    file.writeAt((long) place * LiveSlot.BYTES, slot.encode());
  }

  /** Writes a part of saved blocks. */
  void writePart(long offset, MemorySegment part) {
    file.writeAt(offset, part);
  }

  /** Forces all written bytes to the storage device. */
  void sync() {
    file.sync();
  }

  /**
   * Reads the tables of the saved blocks of a flush.
   *
   * @return the parts by their offsets in this file
   * @throws FormatException if the record exceeds the file, or a part is damaged or belongs to
   *     another epoch; the exception names the file and the offset
   */
  List<Part> parts(LiveSlot.Record record) {
    List<Part> parts = new ArrayList<>();
    long size = file.size();
    long at = record.offset();
    try {
      while (at < record.end()) {
        if (record.end() > size || record.end() - at < SavedBlocks.HEAD) {
          throw new FormatException("record of a live file", "within 0.." + size, record);
        }
        SavedBlocks saved = table(at, record.end() - at);
        if (saved.epoch() != record.epoch() || saved.length() > record.end() - at) {
          throw new FormatException(
              "saved blocks of epoch " + record.epoch(),
              "at most " + (record.end() - at) + " bytes",
              "epoch=" + saved.epoch() + " length=" + saved.length());
        }
        parts.add(new Part(at, saved));
        at += Math.max(1, saved.length());
      }
      return parts;
    } catch (FormatException e) {
      throw e.inFile(path.toString()).atAddress(at);
    }
  }

  /**
   * The saved blocks of one rank.
   *
   * @param offset the offset of the part in the live file
   * @param saved the table
   */
  record Part(long offset, SavedBlocks saved) {}

  private SavedBlocks table(long at, long left) {
    MemorySegment head = HeapBytes.allocate(SavedBlocks.HEAD);
    file.readAt(at, head);
    long end = SavedBlocks.tableEnd(head);
    if (end > left) {
      throw new FormatException("table of saved blocks", "at most " + left + " bytes", end);
    }
    MemorySegment table = HeapBytes.allocate(end);
    file.readAt(at, table);
    return SavedBlocks.decode(table);
  }

  /** Reads bytes of a part. */
  void read(long offset, MemorySegment into) {
    file.readAt(offset, into);
  }

  /** Returns the locks by which readers announce their epochs. */
  EpochLocks locks() {
    return locks;
  }

  /** Closes the file; a shared object, when its last reader closes it. */
  @Override
  public void close() {
    synchronized (READ) {
      readers--;
      if (readers > 0) {
        return;
      }
      READ.values().remove(this);
    }
    closeAll();
  }

  private void closeAll() {
    try (locks) {
      file.close();
    }
  }
}
