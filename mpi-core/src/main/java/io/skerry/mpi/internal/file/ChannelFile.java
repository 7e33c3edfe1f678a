package io.skerry.mpi.internal.file;

import io.skerry.mpi.file.OpenMode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;

/**
 * A file accessed through a channel, for use if {@link PosixFile} cannot access the file. An
 * interrupt of one thread closes the channel for all threads that use it. One of them then reopens
 * the file, and all repeat their operations, which is harmless for positional reads and writes.
 */
final class ChannelFile implements RawFile {
  private static final long NATIVE_STEP = 1L << 30;
  // The JDK copies heap bytes through a direct buffer, which it caches per thread. Small steps keep
  // these buffers small.
  private static final long HEAP_STEP = 1L << 20;

  private final Path path;
  private final Set<OpenOption> access;

  /**
   * Identifies the file independently of its name; empty if the system does not support this, or if
   * the attributes of the file cannot be read.
   */
  private final Optional<Object> identity;

  private volatile FileChannel channel;
  private boolean closed;

  /**
   * Creates a file from an open channel.
   *
   * @param path the path by which the channel was opened
   * @param mode the access mode
   * @param channel the channel, of which this file takes ownership
   */
  ChannelFile(Path path, OpenMode mode, FileChannel channel) {
    this.path = path;
    this.access =
        mode == OpenMode.READ
            ? Set.of(StandardOpenOption.READ)
            : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    this.channel = channel;
    this.identity = identity(path);
  }

  private static Optional<Object> identity(Path path) {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A repeatable operation on an open channel. */
  @FunctionalInterface
  private interface Step {
    long with(FileChannel open) throws IOException;
  }

  private long repeated(Step step) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel open = channel;
        try {
          return step.with(open);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          openAgain(open, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void openAgain(FileChannel old, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (!channel.equals(old)) {
      return;
    }
    FileChannel again = FileChannel.open(path, access);
    if (!identity(path).equals(identity)) {
      again.close();
      throw new IOException("an interrupt closed the file, and its name leads to another one now");
    }
    channel = again;
  }

  @Override
  public long read(long offset, MemorySegment data) throws IOException {
    return isPlain(data) ? readPlain(offset, data) : HeapStage.read(this::readPlain, offset, data);
  }

  /** Returns whether a channel can use the memory directly: native memory or a byte array. */
  private static boolean isPlain(MemorySegment data) {
    return data.isNative() || data.heapBase().orElse(null) instanceof byte[];
  }

  private long readPlain(long offset, MemorySegment data) throws IOException {
    long done = 0;
    while (done < data.byteSize()) {
      long at = done;
      long got = repeated(open -> open.read(step(data, at), offset + at));
      if (got < 0) {
        break;
      }
      done += got;
    }
    return done;
  }

  @Override
  public void write(long offset, MemorySegment data) throws IOException {
    if (isPlain(data)) {
      writePlain(offset, data);
    } else {
      HeapStage.write(this::writePlain, offset, data);
    }
  }

  private void writePlain(long offset, MemorySegment data) throws IOException {
    long done = 0;
    while (done < data.byteSize()) {
      long at = done;
      done += repeated(open -> open.write(step(data, at), offset + at));
    }
  }

  private static ByteBuffer step(MemorySegment data, long done) {
    long bytes = Math.min(data.byteSize() - done, data.isNative() ? NATIVE_STEP : HEAP_STEP);
    return data.asSlice(done, bytes).asByteBuffer();
  }

  @Override
  public long size() throws IOException {
    return repeated(FileChannel::size);
  }

  @Override
  public void cut(long bytes) throws IOException {
    long unused = repeated(open -> open.truncate(bytes).size());
  }

  @Override
  public void force() throws IOException {
    long unused =
        repeated(open -> {
          open.force(true);
          return 0;
        });
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }
}
