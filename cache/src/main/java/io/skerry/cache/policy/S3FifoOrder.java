package io.skerry.cache.policy;

import io.skerry.cache.policy.Evictable.Place;

/**
 * S3-FIFO: two queues, with victims taken from their ends. A new entry enters the small queue,
 * which may occupy a tenth of the available bytes. At the end of the small queue, an entry that was
 * used at least twice moves to the main queue; any other entry is the victim. An entry that reaches
 * the end of the main queue is the victim if its use count is 0; otherwise, the count is
 * decremented and the entry returns to the start of the queue. The chunk numbers of evicted entries
 * are remembered for a while; an entry that is added again during that time enters the main queue
 * directly.
 */
public final class S3FifoOrder<E extends Evictable> extends AbstractOrder<E> {
  /** The share of the small queue is {@code room()} divided by this number. */
  static final int PARTS = 10;

  /** Maximum of the use count; further uses do not increase it. */
  static final int MOST_USES = 3;

  /** Minimum number of uses for an entry to move from the small queue to the main queue. */
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
    // Each iteration that does not return moves an entry to the main queue or decrements the use
    // count of an entry, so the loop terminates.
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
