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
 * The locks of datasets that are not chunked. They prevent a reader from seeing a partial write by
 * another thread, and prevent access to the block of a deleted dataset, which may have been
 * allocated again. Datasets share a fixed number of locks, so the number of locks does not grow
 * with the number of datasets; two datasets with the same lock may wait for each other's writes.
 */
public final class FlatLocks {
  private static final int LOCKS = 32;
  private static final int FEW = 1024;

  private final List<ReadWriteLock> locks =
      Stream.<ReadWriteLock>generate(ReentrantReadWriteLock::new).limit(LOCKS).toList();

  /**
   * The presence of each open dataset, by the address of its header; guarded by the file's gate.
   */
  private final Map<Long, WeakReference<Presence>> presences = new HashMap<>();

  /** The size at which the entries of closed datasets are removed from the map. */
  private int most = FEW;

  /** Records whether a dataset is still in the file; all handles of the dataset share it. */
  static final class Presence {
    private volatile boolean deleted;

    /**
     * Throws if the dataset was deleted, since its header and its block may now belong to another
     * object. The dataset cannot be deleted afterwards while the caller holds the lock of the
     * dataset or has exclusive access to the file.
     *
     * @throws IllegalStateException if the dataset was deleted
     */
    void require(String path) {
      if (deleted) {
        throw new IllegalStateException("the dataset was deleted: dataset=" + path);
      }
    }
  }

  /**
   * Returns the presence of the dataset at an address. The caller has exclusive access to the file.
   *
   * @param dataset the address of its header
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
   * Marks a dataset as deleted, after current reads and writes of it have ended; later accesses are
   * refused. The caller has exclusive access to the file.
   *
   * @param dataset the address of its header
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
   * Reads concurrently with other readers.
   *
   * @param dataset the address of the header of the dataset
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
   * Writes while there are no readers. The caller has exclusive access to the file, or writes
   * independently of the other ranks.
   *
   * @param dataset the address of the header of the dataset
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
