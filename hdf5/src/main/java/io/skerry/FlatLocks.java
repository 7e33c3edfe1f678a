package io.skerry;

import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * Keeps those who read a dataset that stands in one block from seeing half of what another thread
 * writes into it. Datasets share a fixed number of locks, so that a file of many thousands needs no
 * more of them than one with a few; that two share one costs some waiting, no more.
 */
final class FlatLocks {
  private static final int LOCKS = 32;

  private final List<ReadWriteLock> locks =
      Stream.<ReadWriteLock>generate(ReentrantReadWriteLock::new).limit(LOCKS).toList();

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
