package io.skerry.cache.policy;

/** Entries from the hottest to the coldest, linked through themselves. */
final class EntryList {
  /** Closes the circle, so that no link is ever absent. */
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
   * @param place what entries of this list are told about where they are
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

  /** The coldest entry; there must be one. */
  Evictable coldest() {
    return end.hotter;
  }

  /** The hottest entry; there must be one. */
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

  /** Takes out an entry of this list; it is in none then. */
  void unlink(Evictable entry) {
    entry.colder.hotter = entry.hotter;
    entry.hotter.colder = entry.colder;
    entry.colder = entry;
    entry.hotter = entry;
    size--;
    bytes -= entry.charge;
  }

  /**
   * Empties another list of the same kind into this one; all its entries become the hotter ones.
   */
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

  /** An entry of this list counts for so many bytes from now on. */
  void charge(Evictable entry, long now) {
    bytes += now - entry.charge;
    entry.charge = now;
  }
}
