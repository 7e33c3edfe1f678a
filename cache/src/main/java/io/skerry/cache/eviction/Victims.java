package io.skerry.cache.eviction;

import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The victims of one search, and the number of bytes that the search must still free. */
final class Victims {
  /**
   * Number of unstored chunks that a search with {@link Reach#STORED} may skip; the next one ends
   * the search.
   */
  private static final int MOST_PASSED = 16;

  private final List<Entry> unstored = new ArrayList<>();
  private final Reach reach;
  private final Collection<DatasetChunks> requesters;
  private final StoreAttempts attempts;
  private long missing;
  private long toStore;
  private int passed;

  /** The chunks that may be evicted. */
  enum Reach {
    /** Stored chunks; the first chunk that must be stored before its eviction ends the search. */
    NEXT,
    /** Stored chunks; the search skips a limited number of unstored chunks to find them. */
    STORED,
    /** All chunks; unstored ones are stored first. */
    ALL
  }

  /**
   * Creates the state of a search that has not found any victims yet.
   *
   * @param bytes number of bytes to free
   * @param reach the chunks that may be evicted
   * @param requesters datasets for which memory is needed; empty if no thread is waiting for memory
   * @param attempts earlier attempts to store victims
   */
  Victims(long bytes, Reach reach, Collection<DatasetChunks> requesters, StoreAttempts attempts) {
    this.missing = bytes;
    this.reach = reach;
    this.requesters = requesters;
    this.attempts = attempts;
  }

  /** Returns the datasets for which memory is needed. */
  Collection<DatasetChunks> requesters() {
    return requesters;
  }

  /** Returns whether a thread waits for the memory, so that no chunk is protected. */
  boolean areUrgent() {
    return !requesters.isEmpty();
  }

  /** Returns the victims that must be stored before they are evicted. */
  List<Entry> unstored() {
    return unstored;
  }

  /**
   * Returns whether the search should end: enough memory has been found, the victims fill a batch,
   * or too many unstored chunks were skipped.
   */
  boolean isEnough() {
    return isFound() || toStore >= attempts.batch() || isStopped();
  }

  /** Returns whether enough memory will be free after all victims are evicted. */
  boolean isFound() {
    return missing <= 0;
  }

  private boolean isStopped() {
    return switch (reach) {
      case NEXT -> passed > 0;
      case STORED -> passed > MOST_PASSED;
      case ALL -> false;
    };
  }

  /** Records the eviction of a chunk with the given size in bytes. */
  void gone(long bytes) {
    missing -= bytes;
  }

  /**
   * Offers a chunk that could be evicted if it were stored.
   *
   * @return true if the chunk is accepted as a victim
   */
  boolean offer(Entry entry, long bytes) {
    if (reach != Reach.ALL) {
      passed++;
      return false;
    }
    if (attempts.isTried(entry)) {
      return false;
    }
    unstored.add(entry);
    toStore += bytes;
    missing -= bytes;
    return true;
  }
}
