package io.skerry.cache.policy;

/**
 * An order that evicts the least frequently used entry first and, among entries with equal
 * frequency, the least recently used one. There is a list for each number of uses. All operations
 * take constant time.
 *
 * <p>To age old entries, all frequencies are halved when there have been ten times as many uses and
 * arrivals as there are entries. For this purpose, the lists are joined in pairs. No entry is
 * visited: each entry stores the round of aging in which its frequency was written, from which its
 * current frequency follows. Entries of joined lists keep their eviction order, even if they were
 * used in a different order.
 */
public final class FrequencyOrder<E extends Evictable> extends AbstractOrder<E> {
  /** The maximum use count of an entry. */
  public static final int MOST = 63;

  public static final int USES_PER_ROUND = 10;

  /** The lists, indexed by the number of uses; 0 is reached only by halving. */
  private final EntryList[] lists = new EntryList[MOST + 1];

  private int round;
  private long usesInRound;

  public FrequencyOrder() {
    for (int count = 0; count <= MOST; count++) {
      lists[count] = new EntryList(Evictable.Place.LISTED);
    }
  }

  @Override
  void arrive(Evictable entry, Arrival arrival) {
    put(entry, 1);
  }

  @Override
  void touch(Evictable entry) {
    int uses = uses(entry);
    lists[uses].unlink(entry);
    put(entry, Math.min(MOST, uses + 1));
  }

  private void put(Evictable entry, int uses) {
    entry.frequency = uses;
    entry.round = round;
    lists[uses].addHottest(entry);
    usesInRound++;
    if (usesInRound >= (long) USES_PER_ROUND * size()) {
      age();
    }
  }

  private int uses(Evictable entry) {
    return entry.frequency >> Math.min(round - entry.round, Integer.SIZE - 1);
  }

  private void age() {
    usesInRound = 0;
    round++;
    for (int uses = 1; uses <= MOST; uses++) {
      lists[uses / 2].addAllHottest(lists[uses]);
    }
  }

  @Override
  Evictable next() {
    int uses = 0;
    while (lists[uses].isEmpty()) {
      uses++;
    }
    return lists[uses].coldest();
  }

  @Override
  void putBack(Evictable entry) {
    listOf(entry).addColdest(entry);
  }

  @Override
  EntryList listOf(Evictable entry) {
    return lists[uses(entry)];
  }
}
