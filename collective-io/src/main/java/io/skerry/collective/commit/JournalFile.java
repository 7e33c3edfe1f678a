package io.skerry.collective.commit;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Lookup3;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

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
 * A part is what {@link io.skerry.format.Journal} encodes. An empty file, or one whose head or
 * parts are not whole, means that the blocks in the HDF5 file were not touched.
 *
 * <p>The channel is one that interrupts do not close: with it would go the locks, and a commit that
 * others may have to finish.
 */
final class JournalFile implements AutoCloseable {
  static final int HEAD = 32;

  /** Locks are on bytes far behind any content: one byte for each rank that may write. */
  private static final long LOCKS = 1L << 62;

  private static final long RANKS = Integer.MAX_VALUE;
  private static final String MAGIC = "SKJRNL\0\1";

  private final Path path;
  private final AsynchronousFileChannel channel;

  private JournalFile(Path path, AsynchronousFileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Where the journal of an HDF5 file is. */
  static Path pathOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".journal");
  }

  /** Opens the journal, creating it if need be. */
  static JournalFile open(Path file) throws IOException {
    Path path = pathOf(file);
    return new JournalFile(
        path,
        AsynchronousFileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /** Opens an existing journal. */
  static Optional<JournalFile> existing(Path file) throws IOException {
    return Files.exists(pathOf(file)) ? Optional.of(open(file)) : Optional.empty();
  }

  Path path() {
    return path;
  }

  /**
   * Takes the journal for a process that opens the file alone, to recover or to replace it. Kept
   * until the journal is closed.
   *
   * @throws IllegalStateException if a rank of a writer is alive, be it the last of a job whose
   *     other ranks were killed: it may still have a write under way
   */
  void lock() throws IOException {
    hold(LOCKS, RANKS + 1);
  }

  /**
   * Tells others that this rank has the file open for writing, until the journal is closed.
   *
   * @throws IllegalStateException if another program has the file
   */
  void join(int rank) throws IOException {
    hold(LOCKS + rank, 1);
  }

  private void hold(long from, long length) throws IOException {
    boolean taken;
    try {
      taken = channel.tryLock(from, length, false) != null;
    } catch (OverlappingFileLockException e) {
      taken = false;
    }
    if (!taken) {
      throw new IllegalStateException("the file is open for writing elsewhere: journal=" + path);
    }
  }

  void write(long at, MemorySegment bytes) throws IOException {
    ByteBuffer buffer = bytes.asByteBuffer();
    long position = at;
    while (buffer.hasRemaining()) {
      position += finished(channel.write(buffer, position));
    }
  }

  /** Waits for the end of a transfer; an interrupt stays set. */
  private static int finished(Future<Integer> transfer) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return transfer.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void writeHead(long base, long bytes, int parts) throws IOException {
    ByteWriter head = ByteWriter.create().text(MAGIC).u64(base).u64(bytes).u32(parts);
    write(0, head.checksumFrom(0).written());
  }

  void sync() throws IOException {
    channel.force(true);
  }

  void clear() throws IOException {
    channel.truncate(0);
    channel.force(true);
  }

  /**
   * What a whole journal holds.
   *
   * @param base base address of the HDF5 file
   * @param parts what each rank was to replace
   */
  record Content(long base, List<MemorySegment> parts) {}

  /** The content, if the journal is whole as far as its head says. */
  Optional<Content> content() throws IOException {
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
    while (buffer.hasRemaining()) {
      if (finished(channel.read(buffer, at + buffer.position())) < 0) {
        throw new IOException("journal ends early: file=" + path);
      }
    }
    return MemorySegment.ofArray(buffer.array());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
