package io.skerry.internal.dataset;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * Keeps those who read a dataset that stands in one block from seeing half of what another thread
 * writes into it, and those who still hold one that was deleted from the block, which others may
 * have by then. Datasets share a fixed number of locks, so that a file of many thousands needs no
 * more of them than one with a few; that two share one costs some waiting, no more.
 */
public final class FlatLocks {
  private static final int LOCKS = 32;
  private static final int FEW = 1024;

  private final List<ReadWriteLock> locks =
      Stream.<ReadWriteLock>generate(ReentrantReadWriteLock::new).limit(LOCKS).toList();

  /** Of datasets that were opened, by the address of their headers; guarded by the file's gate. */
  private final Map<Long, WeakReference<Presence>> presences = new HashMap<>();

  /** Number of them at which those are looked for that nobody has open any more. */
  private int most = FEW;

  /** Whether a dataset is still in the file; all who have it open share it. */
  static final class Presence {
    private volatile boolean deleted;

    /**
     * Refuses a dataset that is gone: its header and its block may be another's. The answer holds
     * for who reads or writes, or has the file for itself.
     *
     * @throws IllegalStateException if it was deleted
     */
    void require(String path) {
      if (deleted) {
        throw new IllegalStateException("a dataset that was deleted: dataset=" + path);
      }
    }
  }

  /**
   * Whether the dataset at an address is still there. For one who has the file for itself.
   *
   * @param dataset address of its header
   */
  Presence presence(long dataset) {
    Presence known = Optional.ofNullable(presences.get(dataset)).map(Reference::get).orElse(null);
    if (known != null) {
      return known;
    }
    if (presences.size() >= most) {
      presences.values().removeIf(presence -> presence.refersTo(null));
      most = Math.max(FEW, 2 * presences.size());
    }
    Presence added = new Presence();
    presences.put(dataset, new WeakReference<>(added));
    return added;
  }

  /**
   * A dataset is deleted: lets those end who read it, and refuses all who come later. For one who
   * has the file for itself.
   *
   * @param dataset address of its header
   */
  public void delete(long dataset) {
    writing(
        dataset,
        () ->
            Optional.ofNullable(presences.remove(dataset))
                .map(Reference::get)
                .ifPresent(gone -> gone.deleted = true));
  }

  private ReadWriteLock of(long dataset) {
    long mixed = dataset * 0x9E3779B97F4A7C15L;
    return locks.get((int) (mixed >>> 32) & (LOCKS - 1));
  }

  /**
   * Reads beside others.
   *
   * @param dataset address of its header
   */
  void reading(long dataset, Runnable read) {
    ReadWriteLock lock = of(dataset);
    lock.readLock().lock();
    try {
      read.run();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Writes when nobody reads. For one who has the file for itself.
   *
   * @param dataset address of its header
   */
  void writing(long dataset, Runnable write) {
    ReadWriteLock lock = of(dataset);
    lock.writeLock().lock();
    try {
      write.run();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
