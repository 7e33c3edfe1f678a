package io.skerry.cache.policy;

import io.skerry.cache.policy.Evictable.Place;

/**
 * S3-FIFO: three queues that nothing leaves but at their ends. A newcomer enters the small queue, a
 * tenth of the bytes. Who was used there goes on to the main queue, others are evicted and
 * remembered; whoever comes back while it is remembered enters the main queue at once. At the end
 * of the main queue, who was used since it last came by goes back to the beginning.
 */
public final class S3FifoOrder<E extends Evictable> extends AbstractOrder<E> {
  /** The small queue has one part in so many. */
  static final int PARTS = 10;

  /** Uses that are counted. */
  static final int MOST_USES = 3;

  /** Uses in the small queue that lead to the main one. */
  static final int PROMOTED_AT = 2;

  private final EntryList small = new EntryList(Place.SMALL);
  private final EntryList main = new EntryList(Place.MAIN);

  @Override
  void arrive(Evictable entry, Arrival arrival) {
    entry.frequency = 0;
    switch (arrival) {
      case NEW -> small.addHottest(entry);
      case AGAIN, SOON -> main.addHottest(entry);
    }
  }

  @Override
  void touch(Evictable entry) {
    entry.frequency = Math.min(MOST_USES, entry.frequency + 1);
  }

  @Override
  Evictable next() {
    long smallShare = room() / PARTS;
    // Each step moves an entry to the main queue or takes one of its uses away.
    while (true) {
      if (small.bytes() > smallShare || main.isEmpty()) {
        Evictable oldest = small.coldest();
        if (oldest.frequency < PROMOTED_AT) {
          return oldest;
        }
        small.unlink(oldest);
        requeue(oldest, 0);
      } else {
        Evictable oldest = main.coldest();
        if (oldest.frequency == 0) {
          return oldest;
        }
        main.unlink(oldest);
        requeue(oldest, oldest.frequency - 1);
      }
    }
  }

  private void requeue(Evictable entry, int uses) {
    entry.frequency = uses;
    main.addHottest(entry);
  }

  @Override
  void putBack(Evictable entry) {
    (entry.origin == Place.SMALL ? small : main).addColdest(entry);
  }

  @Override
  EntryList listOf(Evictable entry) {
    return entry.place == Place.SMALL ? small : main;
  }
}
