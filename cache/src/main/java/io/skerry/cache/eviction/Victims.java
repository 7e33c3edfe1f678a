package io.skerry.cache.eviction;

import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Which chunks are to go so that some bytes become free, as far as they are found. */
final class Victims {
  /** Chunks that are not stored and passed over by who may not store them, but needs no order. */
  private static final int MOST_PASSED = 16;

  private final List<Entry> unstored = new ArrayList<>();
  private final Reach reach;
  private final Collection<DatasetChunks> askers;
  private final StoreAttempts attempts;
  private long missing;
  private long toStore;
  private int passed;

  /** Which chunks may go. */
  enum Reach {
    /** Those that are stored, up to the first that is not. */
    NEXT,
    /** Those that are stored, if they are not far from the next. */
    STORED,
    /** All; those that are not stored are stored before. */
    ALL
  }

  /**
   * @param askers datasets for whose chunks the room is; none if nobody waits for it
   * @param attempts what was tried before
   */
  Victims(long bytes, Reach reach, Collection<DatasetChunks> askers, StoreAttempts attempts) {
    this.missing = bytes;
    this.reach = reach;
    this.askers = askers;
    this.attempts = attempts;
  }

  /** The datasets for whose chunks the room is. */
  Collection<DatasetChunks> askers() {
    return askers;
  }

  /** Returns whether somebody waits for the room, so that nothing can be spared. */
  boolean areUrgent() {
    return !askers.isEmpty();
  }

  /** What has to be stored before it can go. */
  List<Entry> unstored() {
    return unstored;
  }

  /** Returns whether there is nothing left to do, or, for the moment, enough. */
  boolean isEnough() {
    return isFound() || toStore >= attempts.batch() || isStopped();
  }

  /** Returns whether there will be room enough when all have gone. */
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

  /** A chunk has gone. */
  void gone(long bytes) {
    missing -= bytes;
  }

  /**
   * A chunk could go if it were stored.
   *
   * @return whether it will be
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
