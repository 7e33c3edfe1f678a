package io.skerry.collective.live;

import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The locks by which readers announce to the writer which epochs they read. A reader holds a shared
 * lock on one byte of the live file for each epoch, far behind its content; such a lock needs no
 * permission to write, and the system releases it if the reader is killed. The locks only make the
 * writer keep epochs for longer. Without them, readers are as safe, but may lose their epoch
 * sooner. Thread-safe; local.
 */
final class EpochLocks implements AutoCloseable {
  /** The offset of the lock of epoch 0. */
  private static final long LOCKS = 1L << 62;

  private final Optional<AsynchronousFileChannel> channel;
  private final Map<Long, Held> held = new HashMap<>();

  /**
   * The lock of an epoch that readers of this process hold together.
   *
   * @param lock the lock; empty if it was refused
   * @param readers the number of readers
   */
  private record Held(Optional<FileLock> lock, int readers) {}

  private EpochLocks(Optional<AsynchronousFileChannel> channel) {
    this.channel = channel;
  }

  /**
   * Opens the locks of a live file: for readers, or for its writer. Unless locks are required, none
   * are requested, since a request may take long if the file system has no locks.
   */
  static EpochLocks open(Path live, OpenMode mode, Locking locking) throws IOException {
    if (locking != Locking.REQUIRED) {
      return new EpochLocks(Optional.empty());
    }
    Set<OpenOption> options =
        mode == OpenMode.READ
            ? Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)
            : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    // An asynchronous channel is not closed if a thread is interrupted while it uses the channel.
    return new EpochLocks(Optional.of(AsynchronousFileChannel.open(live, options, null)));
  }

  /** Announces that a reader of this process reads an epoch. */
  synchronized void hold(long epoch) {
    Held now = held.get(epoch);
    held.put(
        epoch, now == null ? new Held(locked(epoch), 1) : new Held(now.lock(), now.readers() + 1));
  }

  private Optional<FileLock> locked(long epoch) {
    if (channel.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(channel.get().tryLock(LOCKS + epoch, 1, true));
    } catch (IOException | OverlappingFileLockException e) {
      // The file system has no locks, or the writer is in this process and examines this epoch.
      return Optional.empty();
    }
  }

  /** Ends an announcement. */
  synchronized void release(long epoch) {
    Held now = held.get(epoch);
    if (now == null) {
      return;
    }
    if (now.readers() > 1) {
      held.put(epoch, new Held(now.lock(), now.readers() - 1));
      return;
    }
    held.remove(epoch);
    now.lock().ifPresent(EpochLocks::release);
  }

  private static void release(FileLock lock) {
    try {
      lock.release();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Returns whether a reader may read an epoch: also true if there are no locks. */
  boolean isRead(long epoch) {
    if (channel.isEmpty()) {
      return true;
    }
    try {
      Optional<FileLock> free = Optional.ofNullable(channel.get().tryLock(LOCKS + epoch, 1, false));
      free.ifPresent(EpochLocks::release);
      return free.isEmpty();
    } catch (IOException | OverlappingFileLockException e) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      if (channel.isPresent()) {
        channel.get().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
