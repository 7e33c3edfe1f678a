package io.skerry.collective.commit;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.collective.trust.CompanionPlace;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The journal beside a file that is open for writing. Each rank writes the parts for the blocks
 * that it replaces, so that no rank needs to gather all metadata. Usually a rank has at most one
 * part; {@link JournalParts} divides a part that would be too large.
 *
 * <pre>
 *   0        8         16        24        28        32
 *   +--------+---------+---------+---------+---------+ - - - - - - - - - - - - - - +
 *   | SKJRNL | base    | bytes of| parts   | lookup3 | parts: u64 length, journal   |
 *   | \0 \1  | address | parts   | u32     | of 0-27 | of blocks of one rank        |
 *   +--------+---------+---------+---------+---------+ - - - - - - - - - - - - - - +
 * </pre>
 *
 * A part is an encoded {@link io.skerry.format.journal.Journal}. If the journal is empty, or if its
 * head or a part is incomplete, the replacement of blocks in the HDF5 file has not begun or is
 * complete.
 */
public final class JournalFile implements AutoCloseable {
  static final int HEAD = 32;

  /**
   * The offset of the first lock, far beyond any content. Each rank that may write locks one byte.
   * A recovery locks the bytes of all ranks and one more.
   */
  private static final long LOCKS = 1L << 62;

  private static final long RANKS = Integer.MAX_VALUE;

  /** The number of refusals after which a lock is considered to be held by a writer. */
  private static final int REFUSALS = 3;

  private static final Duration RETRY = Duration.ofMillis(2);
  private static final String MAGIC = "SKJRNL\0\1";

  private final CompanionPlace place;

  /** True if the journal did not exist before this object opened it. */
  private final boolean fresh;

  private JournalChannel channel;
  private boolean held;
  private Optional<FileLock> lock = Optional.empty();

  private JournalFile(CompanionPlace place) throws IOException {
    this.place = place;
    this.fresh = !place.isTaken();
    this.channel = JournalChannel.open(place);
  }

  /**
   * Returns the path of the journal of an HDF5 file. Symbolic links are resolved first, so all
   * symbolic links to a file yield the same journal.
   */
  public static Path pathOf(Path file) throws IOException {
    return CompanionPlace.ofJournal(file).path();
  }

  /**
   * Returns whether there is a file of any kind at the path of the journal.
   *
   * @param file the path of an HDF5 file; its last name must not be a symbolic link
   */
  public static boolean isBeside(Path file) {
    return CompanionPlace.ofJournalBeside(file).isTaken();
  }

  /** Opens the journal of an HDF5 file. Creates the journal if there is none. */
  public static JournalFile open(Path file) throws IOException {
    return new JournalFile(CompanionPlace.ofJournal(file));
  }

  /** Opens the journal of an HDF5 file; returns empty if there is none. */
  public static Optional<JournalFile> existing(Path file) throws IOException {
    return CompanionPlace.ofJournal(file).isTaken() ? Optional.of(open(file)) : Optional.empty();
  }

  public Path path() {
    return place.path();
  }

  /**
   * Locks the journal exclusively, for a process that recovers or replaces the file. Waits for any
   * other recovery to end. The lock is held until the journal is closed.
   *
   * @throws IllegalStateException if a rank of a writer holds a lock, in this process or another,
   *     or if another recovery does not end in time. Even a single surviving rank of a killed job
   *     holds such a lock, since it may still have a write in progress.
   * @throws IOException if locks are required but the file system does not lock files or does not
   *     respond in time
   */
  public void lock(Locking locking) throws IOException {
    hold(LOCKS, RANKS + 1, locking);
  }

  /**
   * Locks the byte of one rank, which marks the file as open for writing until the journal is
   * closed.
   *
   * @throws IllegalStateException if the byte is already locked: the file is open for writing
   *     elsewhere, in this process or another, or is being recovered and the recovery does not end
   *     in time
   * @throws IOException if locks are required but the file system does not lock files or does not
   *     respond in time
   */
  void join(int rank, Locking locking) throws IOException {
    hold(LOCKS + rank, 1, locking);
  }

  /** Returns whether this object holds a lock. Without a lock, other programs are not excluded. */
  public boolean isLocked() {
    return lock.isPresent();
  }

  /**
   * Locks bytes of the journal. Another program may remove the journal before the lock is taken, so
   * the lock is valid only if the locked file is still the journal. Otherwise, the new journal is
   * opened and locked.
   */
  private void hold(long from, long length, Locking locking) throws IOException {
    while (!held) {
      // The lock is stored before anything can fail, so that closing the journal releases it.
      lock = take(from, length, locking);
      if (channel.isAt(place)) {
        held = true;
      } else {
        if (lock.isPresent()) {
          lock.get().release();
          lock = Optional.empty();
        }
        channel.close();
        channel = JournalChannel.open(place);
      }
    }
  }

  /**
   * Requests a lock, and waits while the file is being recovered. Returns empty if locking is off,
   * or if it is best effort and the file system does not support locks or does not respond in time.
   */
  private Optional<FileLock> take(long from, long length, Locking locking) throws IOException {
    if (locking == Locking.NONE) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          granted(from, length)
              .orElseThrow(() ->
                  new IllegalStateException(
                      "the file is open for writing elsewhere: journal=" + path())));
    } catch (IOException e) {
      if (locking == Locking.BEST_EFFORT) {
        return Optional.empty();
      }
      if (fresh && isEmpty()) {
        // If this new, empty journal were kept, readers would also fail, because they would try to
        // lock it. Without a journal, they need no lock.
        Files.deleteIfExists(path());
      }
      throw withoutLocks(e);
    }
  }

  /**
   * Returns a lock; empty if a writer holds it, or if a recovery does not end in time. A recovery
   * ends by itself, so the lock is requested again while one is in progress. The test for a
   * recovery itself takes a lock for a moment and may thus cause another process to be refused, so
   * a single refusal does not prove that there is a writer.
   */
  private Optional<FileLock> granted(long from, long length) throws IOException {
    long end = System.nanoTime() + JournalChannel.PATIENCE.toNanos();
    int refusals = 0;
    boolean interrupted = false;
    try {
      while (refusals < REFUSALS && System.nanoTime() < end) {
        Optional<FileLock> lock = requested(from, length);
        if (lock.isPresent()) {
          return lock;
        }
        if (!isBeingRecovered()) {
          refusals++;
        }
        // With the interrupt status set, the thread would not be parked at all.
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(RETRY.toNanos());
      }
      return Optional.empty();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns true if the byte that only recoveries lock is locked elsewhere. */
  private boolean isBeingRecovered() throws IOException {
    Optional<FileLock> lock = requested(LOCKS + RANKS, 1);
    if (lock.isPresent()) {
      lock.get().release();
    }
    return lock.isEmpty();
  }

  private Optional<FileLock> requested(long from, long length) throws IOException {
    try {
      return channel.tryLock(from, length);
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  private IOException withoutLocks(IOException cause) {
    return new IOException(
        ("the file system does not lock files: cause=%s journal=%s; if no other program writes this"
                + " file, do without: %s=BEST_EFFORT or FileOptions.withLocking")
            .formatted(cause.getMessage(), path(), Locking.VARIABLE),
        cause);
  }

  void write(long at, MemorySegment bytes) throws IOException {
    channel.write(at, bytes.asByteBuffer());
  }

  void writeHead(long base, long bytes, int parts) throws IOException {
    ByteWriter head = ByteWriter.create().text(MAGIC).u64(base).u64(bytes).u32(parts);
    write(0, head.checksumFrom(0).written());
  }

  void sync() throws IOException {
    channel.sync();
  }

  void clear() throws IOException {
    channel.clear();
  }

  /**
   * Returns whether the journal is empty. It has content only during a commit and after an
   * interrupted commit.
   */
  public boolean isEmpty() throws IOException {
    return channel.size() == 0;
  }

  /**
   * Returns true unless the content begins like a Skerry journal: with the signature, or with zeros
   * if the head has not been written yet.
   */
  public boolean isForeign() throws IOException {
    byte[] mark = MAGIC.getBytes(StandardCharsets.ISO_8859_1);
    int length = (int) Math.min(mark.length, channel.size());
    byte[] begin = read(0, length).toArray(ValueLayout.JAVA_BYTE);
    return !Arrays.equals(begin, new byte[length])
        && !Arrays.equals(begin, 0, length, mark, 0, length);
  }

  /**
   * Removes the journal. Does nothing unless {@link #lock} or {@link #join} has succeeded. A
   * journal that cannot be removed, such as that of another user in a folder where only the owner
   * may remove a file, is truncated to 0 bytes instead.
   */
  public void remove() throws IOException {
    if (!held) {
      return;
    }
    try {
      Files.deleteIfExists(path());
    } catch (FileSystemException e) {
      channel.clear();
    }
  }

  /**
   * The content of a complete journal.
   *
   * @param base the base address of the HDF5 file
   * @param parts the locations of the parts, in the order of the ranks that wrote them
   */
  public record Content(long base, List<Part> parts) {}

  /**
   * The location of an encoded part.
   *
   * @param offset the offset in the journal file, in bytes
   * @param bytes the number of bytes
   */
  public record Part(long offset, int bytes) {}

  /**
   * Returns the content of the journal; empty if the head is missing or damaged, if its base
   * address is negative, or if the parts do not fit into the file or into the length that the head
   * states. The parts themselves are not read: together they may be larger than the memory.
   */
  public Optional<Content> content() throws IOException {
    long size = channel.size();
    if (size < HEAD) {
      return Optional.empty();
    }
    MemorySegment head = read(0, HEAD);
    ByteReader in = ByteReader.of(head, "journal head");
    boolean ours = in.text(8).equals(MAGIC);
    long base = in.i64();
    long bytes = in.i64();
    long count = in.u32();
    boolean sound = in.i32() == Lookup3.checksum(head.asSlice(0, HEAD - 4));
    return ours && sound && base >= 0 && bytes >= 0 && bytes <= size - HEAD
        ? parts(count, HEAD + bytes).map(parts -> new Content(base, parts))
        : Optional.empty();
  }

  /**
   * Returns the locations of the parts; empty if a length is invalid, or if the parts exceed the
   * given end.
   */
  private Optional<List<Part>> parts(long count, long end) throws IOException {
    List<Part> parts = new ArrayList<>();
    long at = HEAD;
    for (long i = 0; i < count; i++) {
      if (end - at < Long.BYTES) {
        return Optional.empty();
      }
      long length = ByteReader.of(read(at, Long.BYTES), "length of a part").i64();
      at += Long.BYTES;
      // A length of 0 is invalid: a hole in the file would otherwise look like many empty
      // parts.
      if (length < 1 || length > end - at || length > Integer.MAX_VALUE) {
        return Optional.empty();
      }
      parts.add(new Part(at, (int) length));
      at += length;
    }
    return Optional.of(parts);
  }

  /** Reads an encoded part. */
  public MemorySegment read(Part part) throws IOException {
    return read(part.offset, part.bytes);
  }

  private MemorySegment read(long at, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    if (!channel.fill(at, buffer)) {
      throw new IOException("journal ends early: file=" + path());
    }
    return MemorySegment.ofArray(buffer.array());
  }

  @Override
  public void close() throws IOException {
    try (JournalChannel _ = channel) {
      if (lock.isPresent()) {
        lock.get().release();
      }
    }
  }
}
