package io.skerry.cache.policy;

/**
 * A single list in order of last use: LRU if the victim is the least recently used entry, MRU if
 * the victim is the most recently used entry.
 */
public final class RecencyOrder<E extends Evictable> extends AbstractOrder<E> {
  /** The entry that is evicted first. */
  public enum Victim {
    LEAST_RECENT,
    MOST_RECENT
  }

  private final EntryList entries = new EntryList(Evictable.Place.LISTED);
  private final Victim victim;

  public RecencyOrder(Victim victim) {
    this.victim = victim;
  }

  @Override
  void arrive(Evictable entry, Arrival arrival) {
    entries.addHottest(entry);
  }

  @Override
  void touch(Evictable entry) {
    entries.unlink(entry);
    entries.addHottest(entry);
  }

  @Override
  Evictable next() {
    return switch (victim) {
      case LEAST_RECENT -> entries.coldest();
      case MOST_RECENT -> entries.hottest();
    };
  }

  @Override
  void putBack(Evictable entry) {
    switch (victim) {
      case LEAST_RECENT -> entries.addColdest(entry);
      case MOST_RECENT -> entries.addHottest(entry);
    }
  }

  @Override
  EntryList listOf(Evictable entry) {
    return entries;
  }
}
