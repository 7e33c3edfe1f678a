package io.skerry.cache.policy;

import io.skerry.cache.policy.Evictable.Place;

/**
 * W-TinyLFU. A new entry enters the window, whose least recently used entries move to the main
 * part. The main part consists of entries on probation and of entries that were used again. The
 * latter are protected from eviction, up to four fifths of the main part. If the main part is full,
 * a candidate from the window is admitted only if its recent frequency exceeds that of the entry
 * that would be evicted for it; otherwise the candidate itself is the victim.
 *
 * <p>There are three differences from the paper that {@code EvictionPolicy.TINY_LFU} cites:
 *
 * <ul>
 *   <li>The window gets a twentieth of the available bytes instead of a hundredth. A chunk cache
 *       holds so few entries that a hundredth would often be less than one entry.
 *   <li>The access that loaded the candidate does not count. In a loop over more chunks than fit,
 *       each candidate would otherwise be one use ahead of all resident chunks, and no chunk would
 *       stay in the cache.
 *   <li>A chunk is protected at once if it is loaded again so soon that an LRU cache would still
 *       have held it. Data is often read piece by piece, each piece many times and then never
 *       again; with frequencies alone, a new piece would not be admitted until it had been read as
 *       often as the old one.
 * </ul>
 */
public final class TinyLfuOrder<E extends Evictable> extends AbstractOrder<E> {
  /** The share of the window is {@code room()} divided by this number. */
  static final int PARTS = 20;

  private final EntryList window = new EntryList(Place.WINDOW);
  private final EntryList probation = new EntryList(Place.PROBATION);
  private final EntryList guarded = new EntryList(Place.PROTECTED);
  private final FrequencySketch frequencies = new FrequencySketch();

  @Override
  void arrive(Evictable entry, Arrival arrival) {
    frequencies.expect(size());
    frequencies.count(entry.number());
    switch (arrival) {
      case NEW, AGAIN -> window.addHottest(entry);
      case SOON -> guarded.addHottest(entry);
    }
  }

  @Override
  void touch(Evictable entry) {
    frequencies.count(entry.number());
    listOf(entry).unlink(entry);
    (entry.place == Place.WINDOW ? window : guarded).addHottest(entry);
  }

  @Override
  Evictable next() {
    long windowShare = room() / PARTS;
    long mainShare = room() - windowShare;
    while (guarded.bytes() > mainShare / 5 * 4 && guarded.size() > 1) {
      move(guarded, probation);
    }
    while (window.bytes() > windowShare) {
      Evictable candidate = window.coldest();
      if (candidate.charge > mainShare - mainBytes()) {
        return loser(candidate);
      }
      move(window, probation);
    }
    return mainIsEmpty() ? window.coldest() : leastOfMain();
  }

  /**
   * Returns the victim when there is memory for only one of two entries: the candidate from the
   * window, or the entry of the main part that would be evicted next. If the latter is the victim,
   * the candidate is moved to the main part.
   */
  private Evictable loser(Evictable candidate) {
    if (mainIsEmpty()) {
      return candidate;
    }
    Evictable victim = leastOfMain();
    int askedBefore = frequencies.estimate(candidate.number()) - 1;
    if (askedBefore <= frequencies.estimate(victim.number())) {
      return candidate;
    }
    move(window, probation);
    return victim;
  }

  private boolean mainIsEmpty() {
    return probation.isEmpty() && guarded.isEmpty();
  }

  private long mainBytes() {
    return probation.bytes() + guarded.bytes();
  }

  private Evictable leastOfMain() {
    return probation.isEmpty() ? guarded.coldest() : probation.coldest();
  }

  private static void move(EntryList from, EntryList to) {
    Evictable entry = from.coldest();
    from.unlink(entry);
    to.addHottest(entry);
  }

  @Override
  void putBack(Evictable entry) {
    list(entry.origin).addColdest(entry);
  }

  @Override
  EntryList listOf(Evictable entry) {
    return list(entry.place);
  }

  private EntryList list(Place place) {
    return switch (place) {
      case WINDOW -> window;
      case PROBATION -> probation;
      case PROTECTED -> guarded;
      case OUTSIDE, NOMINATED, LISTED, SMALL, MAIN ->
          throw new IllegalStateException("no place of this order: place=" + place);
    };
  }
}
