package io.skerry.collective.core;

import io.skerry.collective.dataset.ChunkedDataset;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Records the changes to a file since the last flush that the chunk cache does not count: bytes in
 * the file that are not durable yet, changed datasets, and independent writes. Independent writes
 * to chunks are refused between a collective write and the next flush. Local.
 */
public final class UnflushedChanges {
  private volatile boolean unsynced;

  /** True if chunks of any dataset have changed since the last flush. */
  private volatile boolean anyChanged;

  /**
   * True from a collective write until the next flush: the written elements may not be at their
   * final addresses yet.
   */
  private volatile boolean unstored;

  /**
   * Locked for reading by independent writes to chunks. Locking it for writing waits until these
   * writes have ended.
   */
  private final ReadWriteLock independentWrites = new ReentrantReadWriteLock();

  /** True if this rank has written independently and the other ranks have not been notified yet. */
  private final AtomicBoolean independent = new AtomicBoolean();

  /**
   * Records that chunks of a dataset are about to change. The dataset is then kept in memory until
   * the next flush.
   */
  public void change(ChunkedDataset dataset) {
    dataset.changes();
    anyChanged = true;
  }

  /** Marks the given datasets as stored, if any dataset has changed since the last flush. */
  public void storeAll(Iterable<ChunkedDataset> datasets) {
    if (anyChanged) {
      anyChanged = false;
      datasets.forEach(ChunkedDataset::stored);
    }
  }

  /**
   * Records that bytes have been written to the file, which the next flush must make durable. Must
   * be called on all ranks.
   */
  public void requireSync() {
    unsynced = true;
  }

  /** Returns whether bytes have been written that are not durable yet. */
  public boolean isUnsynced() {
    return unsynced;
  }

  /** Records that all bytes in the file are durable. */
  public void synced() {
    unsynced = false;
  }

  /**
   * Begins a collective write. On return, the independent writes of this rank to chunks have ended,
   * and later ones are refused until the next flush. Must be called on all ranks, which must then
   * synchronize before any of them reads a chunk that the collective write changes.
   */
  public void beginCollectiveWrite() {
    independentWrites.writeLock().lock();
    try {
      unstored = true;
    } finally {
      independentWrites.writeLock().unlock();
    }
  }

  /** Records that a flush has stored all elements. */
  public void stored() {
    unstored = false;
  }

  /**
   * Runs an independent write to chunks if there has been no collective write since the last flush.
   * No collective write begins on this rank until the independent write has ended.
   *
   * @return true if the write was run
   */
  public boolean ifAllStored(Runnable write) {
    independentWrites.readLock().lock();
    try {
      boolean stored = !unstored;
      if (stored) {
        write.run();
      }
      return stored;
    } finally {
      independentWrites.readLock().unlock();
    }
  }

  /** Records an independent write, of which the other ranks must be notified. */
  public void noteIndependentWrite() {
    independent.set(true);
  }

  /** Returns whether this rank has written independently since the ranks were last notified. */
  public boolean hasIndependentWrite() {
    return independent.get();
  }

  /**
   * Returns whether this rank has written independently since the ranks were last notified, and
   * clears the record. The caller must then notify the other ranks.
   */
  public boolean takeIndependentWrite() {
    return independent.getAndSet(false);
  }
}
