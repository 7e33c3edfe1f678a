package io.skerry.cache.policy;

import io.skerry.cache.policy.Evictable.Place;

/**
 * W-TinyLFU. A newcomer enters the window, whose least recent entries go on to the main part. There
 * are those on probation, and those that were used again, which are protected from going, up to
 * four fifths of the main part. If that is full, whoever comes from the window has to have been
 * asked for more often lately than the one that would have to go for it; else it is the victim
 * itself.
 *
 * <p>Three things differ from the paper.
 *
 * <ul>
 *   <li>The window has a twentieth of the bytes, not a hundredth: caches of chunks hold so few
 *       entries that a hundredth would often be none.
 *   <li>The access that brought the candidate does not count. Of chunks that are read in turn, more
 *       than fit, each would otherwise be one ahead of all that are resident, and nothing would
 *       stay.
 *   <li>A chunk that comes back so soon that the least recently used order would still have had it
 *       is protected at once. Data are often read piece by piece, each piece many times and then
 *       never again; counts would keep a new piece out until it has been read as often as the old
 *       one. The paper's authors let the window grow in such a case, which takes many more misses.
 * </ul>
 */
public final class TinyLfuOrder<E extends Evictable> extends AbstractOrder<E> {
  /** The window has one part in so many. */
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

  /** Who goes, if there is room for only one of the candidate and the least of the main part. */
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
