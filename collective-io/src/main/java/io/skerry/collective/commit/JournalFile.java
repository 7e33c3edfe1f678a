package io.skerry.collective.commit;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Lookup3;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The journal beside a file that is open for writing. Every rank writes its own part, so that no
 * rank carries all metadata.
 *
 * <pre>
 *   0        8         16        24        28        32
 *   +--------+---------+---------+---------+---------+ - - - - - - - - - - - - - - +
 *   | SKJRNL | base    | bytes of| parts   | lookup3 | parts: u64 length, journal   |
 *   | \0 \1  | address | parts   | u32     | of 0-27 | of one rank                  |
 *   +--------+---------+---------+---------+---------+ - - - - - - - - - - - - - - +
 * </pre>
 *
 * A part is what {@link io.skerry.format.journal.Journal} encodes. An empty file, or one whose head
 * or parts are not whole, means that the blocks in the HDF5 file were not touched.
 */
public final class JournalFile implements AutoCloseable {
  static final int HEAD = 32;

  /** Locks are on bytes far behind any content: one byte for each rank that may write. */
  private static final long LOCKS = 1L << 62;

  private static final long RANKS = Integer.MAX_VALUE;
  private static final String MAGIC = "SKJRNL\0\1";

  private final JournalPlace place;

  /** Whether this opening has made it. */
  private final boolean fresh;

  private JournalChannel channel;
  private boolean held;
  private Optional<FileLock> lock = Optional.empty();

  private JournalFile(JournalPlace place) throws IOException {
    this.place = place;
    this.fresh = !place.isTaken();
    this.channel = JournalChannel.open(place);
  }

  /** Where the journal of an HDF5 file is: the same by whatever links the file is named. */
  public static Path pathOf(Path file) throws IOException {
    return JournalPlace.of(file).journal();
  }

  /** Opens the journal, creating it if need be. */
  public static JournalFile open(Path file) throws IOException {
    return new JournalFile(JournalPlace.of(file));
  }

  /** Opens an existing journal. */
  public static Optional<JournalFile> existing(Path file) throws IOException {
    return JournalPlace.of(file).isTaken() ? Optional.of(open(file)) : Optional.empty();
  }

  public Path path() {
    return place.journal();
  }

  /**
   * Takes the journal for a process that opens the file alone, to recover or to replace it. Kept
   * until the journal is closed.
   *
   * @throws IllegalStateException if a rank of a writer is alive, be it the last of a job whose
   *     other ranks were killed: it may still have a write under way
   * @throws IOException if the file system does not lock files, and locks are required
   */
  public void lock(Locking locking) throws IOException {
    hold(LOCKS, RANKS + 1, locking);
  }

  /**
   * Tells others that this rank has the file open for writing, until the journal is closed.
   *
   * @throws IllegalStateException if another program has the file
   * @throws IOException if the file system does not lock files, and locks are required
   */
  void join(int rank, Locking locking) throws IOException {
    hold(LOCKS + rank, 1, locking);
  }

  /** Returns whether a lock keeps others out, as far as they ask for one. */
  public boolean isLocked() {
    return lock.isPresent();
  }

  /**
   * Others remove the journal when they are done with it: only a lock on the present one counts.
   */
  private void hold(long from, long length, Locking locking) throws IOException {
    while (!held) {
      Optional<FileLock> taken = take(from, length, locking);
      if (channel.isAt(place)) {
        lock = taken;
        held = true;
      } else {
        if (taken.isPresent()) {
          taken.get().release();
        }
        channel.close();
        channel = JournalChannel.open(place);
      }
    }
  }

  /** The lock; nothing if it is not needed. */
  private Optional<FileLock> take(long from, long length, Locking locking) throws IOException {
    if (locking == Locking.NONE) {
      return Optional.empty();
    }
    Optional<FileLock> taken;
    try {
      taken = channel.tryLock(from, length);
    } catch (OverlappingFileLockException e) {
      taken = Optional.empty();
    } catch (IOException e) {
      if (locking == Locking.BEST_EFFORT) {
        return Optional.empty();
      }
      if (fresh && isEmpty()) {
        // Readers, who need no lock while there is no journal, would fail as well.
        Files.deleteIfExists(path());
      }
      throw withoutLocks(e);
    }
    return Optional.of(
        taken.orElseThrow(() ->
            new IllegalStateException(
                "the file is open for writing elsewhere: journal=" + path())));
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

  /** Returns whether there is nothing in it, as outside a commit. */
  public boolean isEmpty() throws IOException {
    return channel.size() == 0;
  }

  /**
   * Returns whether its content is none that Skerry wrote: a journal begins with its mark, or with
   * zeros until its head is written.
   */
  public boolean isForeign() throws IOException {
    byte[] mark = MAGIC.getBytes(StandardCharsets.ISO_8859_1);
    int length = (int) Math.min(mark.length, channel.size());
    byte[] begin = read(0, length).toArray(ValueLayout.JAVA_BYTE);
    return !Arrays.equals(begin, new byte[length])
        && !Arrays.equals(begin, 0, length, mark, 0, length);
  }

  /**
   * Removes it if it is held, which it is until it is closed: no other program is inside. One that
   * belongs to somebody else, in a folder where only the owner may remove a file, is emptied.
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
   * What a whole journal holds.
   *
   * @param base base address of the HDF5 file
   * @param parts what each rank was to replace
   */
  public record Content(long base, List<MemorySegment> parts) {}

  /** The content, if the journal is whole as far as its head says. */
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
    if (!ours || !sound || bytes < 0 || bytes > size - HEAD || bytes > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    ByteReader all = ByteReader.of(read(HEAD, (int) bytes), "journal");
    List<MemorySegment> parts = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      parts.add(all.slice(all.u63("length of a part")));
    }
    return Optional.of(new Content(base, parts));
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
