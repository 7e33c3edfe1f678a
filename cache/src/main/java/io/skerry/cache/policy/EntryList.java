package io.skerry.cache.policy;

/**
 * A list of entries, ordered from the hottest to the coldest and linked through the entries
 * themselves.
 */
final class EntryList {
  /** The sentinel that closes the list into a ring, so that no link is null. */
  private static final class End extends Evictable {
    @Override
    public long number() {
      throw new IllegalStateException("the end of a list is no chunk");
    }

    @Override
    public long bytes() {
      return 0;
    }
  }

  private final Evictable end = new End();
  private final Evictable.Place place;
  private int size;
  private long bytes;

  /**
   * Creates an empty list.
   *
   * @param place the place that is recorded in the entries of this list
   */
  EntryList(Evictable.Place place) {
    this.place = place;
  }

  int size() {
    return size;
  }

  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the coldest entry. The list must not be empty. */
  Evictable coldest() {
    return end.hotter;
  }

  /** Returns the hottest entry. The list must not be empty. */
  Evictable hottest() {
    return end.colder;
  }

  void addHottest(Evictable entry) {
    insert(end.colder, entry, end);
  }

  void addColdest(Evictable entry) {
    insert(end, entry, end.hotter);
  }

  private void insert(Evictable colder, Evictable entry, Evictable hotter) {
    entry.colder = colder;
    entry.hotter = hotter;
    colder.hotter = entry;
    hotter.colder = entry;
    entry.place = place;
    size++;
    bytes += entry.charge;
  }

  /** Removes an entry from this list. */
  void unlink(Evictable entry) {
    entry.colder.hotter = entry.hotter;
    entry.hotter.colder = entry.colder;
    entry.colder = entry;
    entry.hotter = entry;
    size--;
    bytes -= entry.charge;
  }

  /** Moves all entries of another list with the same place to the hot end of this list. */
  void addAllHottest(EntryList other) {
    if (other.isEmpty()) {
      return;
    }
    Evictable coldest = other.coldest();
    Evictable hottest = other.hottest();
    Evictable last = end.colder;
    last.hotter = coldest;
    coldest.colder = last;
    hottest.hotter = end;
    end.colder = hottest;
    size += other.size;
    bytes += other.bytes;
    other.end.colder = other.end;
    other.end.hotter = other.end;
    other.size = 0;
    other.bytes = 0;
  }

  /** Records the current size, in bytes, of an entry in this list. */
  void charge(Evictable entry, long now) {
    bytes += now - entry.charge;
    entry.charge = now;
  }
}
