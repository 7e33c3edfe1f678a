package io.skerry.collective.commit;

import io.skerry.collective.trust.CompanionPlace;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The only channel of this process to a journal, shared by all ranks in the process, even if the
 * process opens the file several times.
 *
 * <p>POSIX releases all locks of a process on a file as soon as the process closes any of its
 * descriptors of that file. If every rank of a process had its own channel, the first rank to close
 * its channel would release the locks of the others. A second attempt to open the file, even if it
 * is refused, would also release them. Locks belong to the process, so the table of channels is
 * static.
 *
 * <p>The channel is asynchronous, because interrupting a thread closes a synchronous channel that
 * the thread is using. Closing the channel would release the locks and interrupt a commit, which
 * other programs would then have to complete.
 */
final class JournalChannel implements AutoCloseable {
  private static final Map<Object, JournalChannel> OPEN = new HashMap<>();

  /** The time limit for a lock request, and for the wait until a recovery has ended. */
  static final Duration PATIENCE = patience(Long.getLong("skerry.locking.patience", 60));

  private final Object identity;
  private final AsynchronousFileChannel channel;
  private int users;

  /**
   * True if a lock request exceeded its time limit. Closing the channel would wait for the request,
   * so the channel is left open.
   */
  private volatile boolean unanswered;

  /**
   * Returns a time limit of the given number of seconds, clamped to between 0 and about 68 years.
   */
  static Duration patience(long seconds) {
    return Duration.ofSeconds(Math.clamp(seconds, 0, Integer.MAX_VALUE));
  }

  private JournalChannel(Object identity, AsynchronousFileChannel channel) {
    this.identity = identity;
    this.channel = channel;
  }

  /** Opens the channel of an existing journal. */
  @FunctionalInterface
  interface Opener {
    AsynchronousFileChannel open(Path journal) throws IOException;
  }

  /**
   * Returns the channel of a journal. Creates the journal if there is none.
   *
   * @throws IOException if the journal cannot be created or opened, or if the file at its path
   *     fails {@link CompanionPlace#check}; such a file is not opened
   */
  static JournalChannel open(CompanionPlace place) throws IOException {
    return open(
        place,
        journal ->
            AsynchronousFileChannel.open(
                journal,
                Set.of(
                    StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                null));
  }

  static JournalChannel open(CompanionPlace place, Opener opener) throws IOException {
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

  /**
   * Returns true if the journal may be opened, and false if another program has removed it.
   *
   * @throws IOException if the file at the path of the journal must not be used as a journal
   */
  private static boolean isUsable(CompanionPlace place) throws IOException {
    try {
      place.check();
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Opens a new channel; returns empty if another program has removed or replaced the journal. */
  private static Optional<JournalChannel> open(CompanionPlace place, Object identity, Opener opener)
      throws IOException {
    AsynchronousFileChannel channel;
    try {
      channel = opener.open(place.path());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (AccessDeniedException e) {
      throw new IOException(
          "the journal may not be read and written, so it is unknown whether a flush is under"
              + " way: journal="
              + place.path(),
          e);
    }
    JournalChannel opened = new JournalChannel(identity, channel);
    boolean kept = false;
    try {
      kept = opened.isAt(place);
    } finally {
      if (!kept) {
        channel.close();
      }
    }
    if (!kept) {
      return Optional.empty();
    }
    OPEN.put(identity, opened);
    opened.users = 1;
    return Optional.of(opened);
  }

  /** Returns whether the path of the journal still refers to the file of this channel. */
  boolean isAt(CompanionPlace place) throws IOException {
    return place.identity().filter(identity::equals).isPresent();
  }

  /**
   * Locks bytes for this process until the lock is released. Returns empty if another program has
   * locked any of them. The system call may block forever if the lock service of the file system
   * does not respond, so a separate thread makes that call.
   *
   * @param from the offset of the first byte
   * @param length the number of bytes
   * @throws java.nio.channels.OverlappingFileLockException if this process has already locked any
   *     of the bytes
   * @throws IOException if the file system does not lock files, or does not respond within the time
   *     limit
   */
  Optional<FileLock> tryLock(long from, long length) throws IOException {
    CompletableFuture<Optional<FileLock>> call = new CompletableFuture<>();
    Thread.ofPlatform().daemon().name("skerry-lock").start(() -> request(from, length, call));
    return answer(call);
  }

  /** Requests a lock. Releases the lock if it is granted after the time limit. */
  private void request(long from, long length, CompletableFuture<Optional<FileLock>> call) {
    try {
      Optional<FileLock> lock = Optional.ofNullable(channel.tryLock(from, length, false));
      if (!call.complete(lock) && lock.isPresent()) {
        lock.get().release();
      }
    } catch (IOException | RuntimeException | Error e) {
      boolean unused = call.completeExceptionally(e);
    }
  }

  private Optional<FileLock> answer(CompletableFuture<Optional<FileLock>> call) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return call.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          // A lock that is granted from now on is released immediately.
          unanswered |= call.completeExceptionally(e);
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException late) {
        throw new IOException("no answer: seconds=" + PATIENCE.toSeconds(), late);
      }
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

  /** Reads until the buffer is full. Returns false if the file ends earlier. */
  boolean fill(long at, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (finished(channel.read(buffer, at + buffer.position())) < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Waits for the end of a transfer. An interrupt does not end the wait; the interrupt status is
   * restored afterwards.
   *
   * @return the number of transferred bytes; -1 at the end of the file
   */
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

  /** Ends one use of the channel. The channel is closed when its last use ends. */
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
