package io.skerry.collective.core;

import io.skerry.collective.dataset.ChunkedDataset;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Records the changes of a file since the last flush that the chunk cache does not count: bytes
 * that were written in place, changed datasets, and independent writes, which must not overtake
 * collective ones. Local.
 */
public final class UnflushedChanges {
  private volatile boolean unsynced;

  /** True if chunks of any dataset have changed since the last flush. */
  private volatile boolean anyChanged;

  /** True after a collective write, whose elements may not be at their final addresses yet. */
  private volatile boolean unstored;

  /** Read-locked by independent writes, write-locked to wait for their end. */
  private final ReadWriteLock independentWrites = new ReentrantReadWriteLock();

  /** True if this rank has written independently, and the other ranks were not notified yet. */
  private final AtomicBoolean independent = new AtomicBoolean();

  /** Records that chunks of a dataset change: the dataset is kept until the next flush. */
  public void change(ChunkedDataset dataset) {
    dataset.changes();
    anyChanged = true;
  }

  /** Marks the datasets that were changed as stored, if there are any. */
  public void storeAll(Iterable<ChunkedDataset> datasets) {
    if (anyChanged) {
      anyChanged = false;
      datasets.forEach(ChunkedDataset::stored);
    }
  }

  /** Records a write in place, which the next flush has to make durable. All ranks call it. */
  public void requireSync() {
    unsynced = true;
  }

  /** Returns whether bytes were written that are not durable. */
  public boolean isUnsynced() {
    return unsynced;
  }

  /** Records that all bytes in the file are durable. */
  public void synced() {
    unsynced = false;
  }

  /**
   * Begins a collective write: independent writes of this rank have ended when it returns, and
   * later ones are refused until the next flush. All ranks call it, and agree on something before
   * one of them reads a chunk that it changes.
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
   * Runs an independent write if there was no collective write since the last flush. No collective
   * write of this rank begins meanwhile.
   *
   * @return true if the write has run
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

  /** Records an independent write, of which the other ranks have to be notified. */
  public void noteIndependentWrite() {
    independent.set(true);
  }

  /** Returns whether this rank has written independently since the ranks were last notified. */
  public boolean hasIndependentWrite() {
    return independent.get();
  }

  /**
   * Returns whether this rank has written independently, and clears the record, since the caller
   * notifies the ranks now.
   */
  public boolean takeIndependentWrite() {
    return independent.getAndSet(false);
  }
}
