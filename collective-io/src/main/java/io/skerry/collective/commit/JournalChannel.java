package io.skerry.collective.commit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

  /** How long a lock may take: much longer than a lock service that was restarted needs. */
  private static final Duration PATIENCE =
      Duration.ofSeconds(Long.getLong("skerry.locking.patience", 60));

  private final Object identity;
  private final AsynchronousFileChannel channel;
  private int users;

  /** Closing the channel would wait for the call. */
  private volatile boolean unanswered;

  private JournalChannel(Object identity, AsynchronousFileChannel channel) {
    this.identity = identity;
    this.channel = channel;
  }

  /** Opens a journal that exists. */
  @FunctionalInterface
  interface Opener {
    /** Opens it. */
    AsynchronousFileChannel open(Path journal) throws IOException;
  }

  /**
   * The channel on the journal of that place, which is created if need be.
   *
   * @throws IOException if something else has the name; nothing of it is opened then
   */
  static JournalChannel open(JournalPlace place) throws IOException {
    return open(
        place,
        journal ->
            AsynchronousFileChannel.open(
                journal,
                Set.of(
                    StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                null));
  }

  static JournalChannel open(JournalPlace place, Opener opener) throws IOException {
    synchronized (OPEN) {
      while (true) {
        Optional<Object> found = place.identity();
        if (found.isEmpty()) {
          place.create();
          continue;
        }
        if (!isUsable(place)) {
          continue;
        }
        if (OPEN.containsKey(found.get())) {
          JournalChannel shared = OPEN.get(found.get());
          shared.users++;
          return shared;
        }
        Optional<JournalChannel> opened = open(place, found.get(), opener);
        if (opened.isPresent()) {
          return opened.get();
        }
      }
    }
  }

  /** Returns whether the journal may be opened; not if another program has removed it meanwhile. */
  private static boolean isUsable(JournalPlace place) throws IOException {
    try {
      place.check();
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** A new channel, unless another program has removed or replaced the file meanwhile. */
  private static Optional<JournalChannel> open(JournalPlace place, Object identity, Opener opener)
      throws IOException {
    AsynchronousFileChannel channel;
    try {
      channel = opener.open(place.journal());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (AccessDeniedException e) {
      throw new IOException(
          "the journal may not be read and written, so that nobody can tell whether a flush is under"
              + " way: journal="
              + place.journal(),
          e);
    }
    JournalChannel opened = new JournalChannel(identity, channel);
    if (!opened.isAt(place)) {
      channel.close();
      return Optional.empty();
    }
    OPEN.put(identity, opened);
    opened.users = 1;
    return Optional.of(opened);
  }

  /** Returns whether the file is still the one of that name. */
  boolean isAt(JournalPlace place) throws IOException {
    return place.identity().filter(identity::equals).isPresent();
  }

  /**
   * Takes bytes for this process until the lock is released; nothing if another program has some of
   * them. A file system whose lock service does not answer may keep the call for ever, so a thread
   * of its own makes it.
   *
   * @throws java.nio.channels.OverlappingFileLockException if this process has
   * @throws IOException if the file system does not lock files, or does not answer
   */
  Optional<FileLock> tryLock(long from, long length) throws IOException {
    FutureTask<Optional<FileLock>> call =
        new FutureTask<>(() -> Optional.ofNullable(channel.tryLock(from, length, false)));
    Thread.ofPlatform().daemon().name("skerry-lock").start(call);
    return answer(call);
  }

  private Optional<FileLock> answer(Future<Optional<FileLock>> call) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return call.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (TimeoutException e) {
      unanswered = true;
      throw new IOException("no answer: seconds=" + PATIENCE.toSeconds(), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
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
        if (!unanswered) {
          channel.close();
        }
      }
    }
  }
}
