package io.skerry.collective.commit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * The one channel of this process on a journal, shared by all who have the journal open.
 *
 * <p>By POSIX a process loses all its locks on a file as soon as it closes any of its channels on
 * it. If every rank of a process had one, the first to close would unlock the others, and so would
 * a second opening that is refused. Locks belong to the process, so the table of channels does too.
 *
 * <p>The channel is one that interrupts do not close: with it would go the locks, and a commit that
 * others may have to finish.
 */
final class JournalChannel implements AutoCloseable {
  private static final Map<Object, JournalChannel> OPEN = new HashMap<>();

  private final Object identity;
  private final AsynchronousFileChannel channel;
  private int users;

  private JournalChannel(Object identity, AsynchronousFileChannel channel) {
    this.identity = identity;
    this.channel = channel;
  }

  /** The channel on the file of that name, which is created if need be. */
  static JournalChannel open(Path path) throws IOException {
    synchronized (OPEN) {
      while (true) {
        Optional<Object> found = identity(path);
        if (found.isEmpty()) {
          create(path);
        } else if (OPEN.containsKey(found.get())) {
          JournalChannel shared = OPEN.get(found.get());
          shared.users++;
          return shared;
        } else {
          Optional<JournalChannel> opened = open(path, found.get());
          if (opened.isPresent()) {
            return opened.get();
          }
        }
      }
    }
  }

  private static void create(Path path) throws IOException {
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException e) {
      // Another program was faster.
    }
  }

  /** A new channel, unless another program has removed or replaced the file meanwhile. */
  private static Optional<JournalChannel> open(Path path, Object identity) throws IOException {
    AsynchronousFileChannel channel;
    try {
      channel =
          AsynchronousFileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    JournalChannel opened = new JournalChannel(identity, channel);
    if (!opened.isAt(path)) {
      channel.close();
      return Optional.empty();
    }
    OPEN.put(identity, opened);
    opened.users = 1;
    return Optional.of(opened);
  }

  /** Which file it is, whatever its name: device and number. */
  private static Optional<Object> identity(Path path) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return Optional.of(Optional.ofNullable(attributes.fileKey()).orElse(path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Whether the file is still the one of that name. */
  boolean isAt(Path path) throws IOException {
    return identity(path).filter(identity::equals).isPresent();
  }

  /**
   * Takes bytes for this process until the lock is released; nothing if another program has some of
   * them.
   *
   * @throws java.nio.channels.OverlappingFileLockException if this process has
   */
  Optional<FileLock> tryLock(long from, long length) throws IOException {
    return Optional.ofNullable(channel.tryLock(from, length, false));
  }

  void write(long at, ByteBuffer bytes) throws IOException {
    long position = at;
    while (bytes.hasRemaining()) {
      position += finished(channel.write(bytes, position));
    }
  }

  /** Reads until the buffer is full; tells whether there was so much. */
  boolean fill(long at, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (finished(channel.read(buffer, at + buffer.position())) < 0) {
        return false;
      }
    }
    return true;
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

  long size() throws IOException {
    return channel.size();
  }

  void sync() throws IOException {
    channel.force(true);
  }

  void clear() throws IOException {
    channel.truncate(0);
    channel.force(true);
  }

  /** The last user closes it. */
  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      users--;
      if (users == 0) {
        OPEN.remove(identity);
        channel.close();
      }
    }
  }
}
