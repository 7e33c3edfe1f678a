package io.skerry.cache.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A hash table of entries by number. Any number of threads look up entries without locks and
 * without allocation; one thread at a time changes the table.
 *
 * <p>Open addressing: an entry is stored in the slot to which its number is hashed, its
 * <i>home</i>, or in the first slot after it that was free. Unused slots hold {@code absent}, which
 * is also the result of an unsuccessful search. Slots whose entry was removed hold {@link
 * #REMOVED}, so that searches continue past them. At most half of the slots hold anything other
 * than {@code absent}.
 *
 * <p><b>Memory model.</b> All changes are made under one lock, so they have a total order, and each
 * happens-before all later ones. Entries are stored with release semantics, and {@link #get} loads
 * slots with acquire semantics, so a thread that sees an entry sees everything that was done to the
 * entry before it was added, and all earlier changes to the table: a thread that has seen one
 * change cannot miss an earlier one. Hence, a search reads each slot as of some moment in the order
 * of changes, and a later read never returns an earlier state, as if all reads accessed a single
 * copy of the table that the lock guards. In the following, <i>moment</i>, <i>earlier</i> and
 * <i>later</i> refer to that order.
 *
 * <p>Within one array an entry never moves, and at every moment all slots from the home of an entry
 * to the entry hold something: an entry is put into the first free slot of its path, removal leaves
 * {@link #REMOVED}, and that mark is cleared only if the next slot is absent, in which case no path
 * of an entry leads through it. If {@link #get} returns an entry, it was in the table when its slot
 * was read. If it returns {@code absent}, there was a moment since the call at which no entry had
 * the number: an entry that had existed throughout would have stayed in the same slot, all slots
 * before it would have been occupied, and the search would have reached it. A search may miss an
 * entry that is removed and added again in an earlier slot; its result is then that of the moment
 * in between.
 *
 * <p>A rebuild fills a new array and publishes it with a volatile store; the old array never
 * changes again. A search in the old array started before that store, and its result is that of
 * some moment between its call and the store. Therefore, all operations are linearizable.
 *
 * <p>Consequence for callers: {@link #get} is not a full fence. A thread that removes an entry and
 * then checks whether the entry is in use cannot rely on users that first declare their use
 * elsewhere and then look up the entry. Use must be declared in the entry itself, which records
 * whether it is gone.
 *
 * @param <E> type of the entries; the number of an entry must never change
 */
// Entries are compared by identity, even if they define equality.
@SuppressWarnings("ReferenceEquality")
public final class NumberTable<E extends NumberTable.Numbered> {
  /** An object with a number. */
  public interface Numbered {
    /** Returns the number, which never changes. */
    long number();
  }

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Numbered[].class);
  private static final Numbered REMOVED = () -> Long.MIN_VALUE;
  private static final int LEAST_SLOTS = 16;
  private static final int MOST_SLOTS = 1 << 30;

  private final E absent;
  private final Object changing = new Object();
  private volatile Numbered[] slots;

  /** Number of slots with an entry; guarded by {@link #changing}. */
  private int entries;

  /** Number of slots with {@link #REMOVED}; guarded by {@link #changing}. */
  private int removed;

  /**
   * Creates an empty table.
   *
   * @param absent result of {@link #get} if there is no entry; its number is ignored, and it cannot
   *     be added to the table
   */
  public NumberTable(E absent) {
    this.absent = absent;
    this.slots = emptySlots(LEAST_SLOTS);
  }

  /** Returns the entry with the given number; {@code absent} if there is none. Never waits. */
  public E get(long number) {
    Numbered[] searched = slots;
    int last = searched.length - 1;
    int slot = home(number, last);
    while (true) {
      Numbered found = (Numbered) SLOT.getAcquire(searched, slot);
      if (found == absent) {
        return absent;
      }
      if (found.number() == number && found != REMOVED) {
        return entry(found);
      }
      slot = slot + 1 & last;
    }
  }

  /**
   * Adds an entry, unless the table has an entry with the same number.
   *
   * @return the entry that now has the number
   * @throws IllegalArgumentException if the entry is {@code absent}
   * @throws IllegalStateException if the table must grow and already has 2^28 entries or more
   */
  public E putIfAbsent(E entry) {
    if (entry == absent) {
      throw new IllegalArgumentException("absence is no entry: number=" + entry.number());
    }
    long number = entry.number();
    synchronized (changing) {
      Numbered[] searched = slots;
      int last = searched.length - 1;
      int reusable = -1;
      int slot = home(number, last);
      while (searched[slot] != absent) {
        Numbered found = searched[slot];
        if (found == REMOVED) {
          reusable = reusable < 0 ? slot : reusable;
        } else if (found.number() == number) {
          return entry(found);
        }
        slot = slot + 1 & last;
      }
      if (reusable >= 0) {
        SLOT.setRelease(searched, reusable, entry);
        removed--;
        entries++;
      } else {
        add(entry, searched, slot);
      }
      return entry;
    }
  }

  /** Stores an entry in an unused slot, or in a new array if too many slots are in use. */
  private void add(E entry, Numbered[] searched, int slot) {
    if (entries + removed + 1 <= searched.length / 2) {
      SLOT.setRelease(searched, slot, entry);
    } else {
      Numbered[] rebuilt = copied(searched, slotsFor(entries + 1));
      rebuilt[freeSlot(rebuilt, entry)] = entry;
      slots = rebuilt;
      removed = 0;
    }
    entries++;
  }

  /**
   * Removes an entry.
   *
   * @return true if this very object was in the table
   */
  public boolean remove(E entry) {
    synchronized (changing) {
      Numbered[] searched = slots;
      int last = searched.length - 1;
      int slot = home(entry.number(), last);
      while (searched[slot] != absent) {
        if (searched[slot] == entry) {
          removeAt(slot, searched);
          return true;
        }
        slot = slot + 1 & last;
      }
      return false;
    }
  }

  private void removeAt(int slot, Numbered[] searched) {
    SLOT.setRelease(searched, slot, REMOVED);
    entries--;
    removed++;
    if (entries < searched.length / 16 && searched.length > LEAST_SLOTS) {
      slots = copied(searched, slotsFor(entries));
      removed = 0;
    } else {
      takeMarksAway(searched, slot);
    }
  }

  /**
   * Clears the mark in the given slot and the marks directly before it if the next slot is absent,
   * because in that case no path of an entry leads through them.
   */
  private void takeMarksAway(Numbered[] searched, int markedSlot) {
    int last = searched.length - 1;
    int slot = markedSlot;
    while (searched[slot] == REMOVED && searched[slot + 1 & last] == absent) {
      SLOT.setRelease(searched, slot, absent);
      removed--;
      slot = slot - 1 & last;
    }
  }

  /** Returns the number of entries. Waits for a change in progress. */
  public int size() {
    synchronized (changing) {
      return entries;
    }
  }

  /**
   * Passes every entry that exists at a single moment during the call to a consumer, each exactly
   * once. Concurrent changes are not visible, including those by the consumer.
   */
  public void forEach(Consumer<? super E> consumer) {
    Numbered[] seen;
    synchronized (changing) {
      seen = slots.clone();
    }
    for (Numbered found : seen) {
      if (found != absent && found != REMOVED) {
        consumer.accept(entry(found));
      }
    }
  }

  /** Removes all entries. */
  public void clear() {
    synchronized (changing) {
      slots = emptySlots(LEAST_SLOTS);
      entries = 0;
      removed = 0;
    }
  }

  /** Returns the number of slots that {@link #get} reads for the given number. */
  int probes(long number) {
    Numbered[] searched = slots;
    int last = searched.length - 1;
    int slot = home(number, last);
    int probes = 1;
    while (true) {
      Numbered found = (Numbered) SLOT.getAcquire(searched, slot);
      if (found == absent || (found.number() == number && found != REMOVED)) {
        return probes;
      }
      slot = slot + 1 & last;
      probes++;
    }
  }

  /** Returns the number of slots, occupied or not. */
  int capacity() {
    return slots.length;
  }

  private Numbered[] emptySlots(int count) {
    Numbered[] empty = new Numbered[count];
    Arrays.fill(empty, absent);
    return empty;
  }

  private Numbered[] copied(Numbered[] from, int count) {
    Numbered[] copy = emptySlots(count);
    for (Numbered found : from) {
      if (found != absent && found != REMOVED) {
        copy[freeSlot(copy, found)] = found;
      }
    }
    return copy;
  }

  private int freeSlot(Numbered[] among, Numbered entry) {
    int last = among.length - 1;
    int slot = home(entry.number(), last);
    while (among[slot] != absent) {
      slot = slot + 1 & last;
    }
    return slot;
  }

  /**
   * Returns the number of slots for the given number of entries: a power of two, at least 16. Above
   * that minimum, the entries occupy between a sixth and a third of the slots, so that at least a
   * tenth of the slots change before the next rebuild.
   */
  static int slotsFor(int entries) {
    if (entries > MOST_SLOTS / 4) {
      throw new IllegalStateException(
          "the table is full: entries=" + entries + " limit=" + MOST_SLOTS / 4);
    }
    int needed = Math.max(LEAST_SLOTS, 3 * entries);
    return Integer.highestOneBit(needed - 1) << 1;
  }

  /**
   * Returns the slot at which the search for a number starts. The numbers of adjacent chunks differ
   * in a few bits of one field, which a remainder or a single multiplication would map to few
   * slots. The steps and constants are the final ones of SplitMix64 (D. Stafford's variant 13),
   * without the last shift: the upper half is used instead, which depends on every bit of the
   * number.
   */
  private static int home(long number, int last) {
    long mixed = (number ^ number >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
    return (int) (mixed >>> 32) & last;
  }

  // Slots hold only entries, apart from the mark, for which this method is not called.
  @SuppressWarnings("unchecked")
  private E entry(Numbered found) {
    return (E) found;
  }
}
