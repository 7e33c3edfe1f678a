package io.skerry.cache.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Entries by number: looked up by any number of threads without a lock and without making an
 * object, changed by one thread at a time.
 *
 * <p>Open addressing: an entry stands at the slot that its number is mixed to, its <i>home</i>, or
 * behind it, where the first slot was free. Slots without an entry hold {@code absent}, which is
 * also what a search in vain returns; slots whose entry was removed hold {@link #REMOVED}, so that
 * searches go on behind them. At most half of the slots hold anything else than {@code absent}.
 *
 * <p><b>Memory model.</b> All changes are made under one lock, so they have a total order, and each
 * happens before all later ones. Entries reach a slot by a release store, and {@link #get} reads
 * slots by acquire loads, so whoever sees an entry sees all that was done to it before it was put.
 * It also sees all changes of the table before that one: having seen one change, no thread can miss
 * an earlier one. So the slots that one search reads are those of moments that follow each other in
 * the order of changes, as if each read were of the one memory that the lock guards. The following
 * is about that order.
 *
 * <p>Within one array an entry never moves, and at every moment all slots between the home of an
 * entry and the entry hold something: an entry is put into the first slot free in its path, removal
 * leaves {@link #REMOVED}, and that mark is taken away only if the next slot is absent, when no
 * entry can have its path through it. If {@link #get} returns an entry, that was in the table when
 * its slot was read. If it returns {@code absent}, there was a moment since its call in which no
 * entry had the number: had one been there all the time, it would have been the same entry in the
 * same slot, all slots before it would have been taken, and the search would have come to it. An
 * entry that is removed and put again at an earlier slot can escape a search, which is then
 * answered as of the moment in between.
 *
 * <p>A rebuild fills a new array and publishes it by a volatile store; the old one never changes
 * again. A search in the old one took it before that store, and answers as of some moment until the
 * store, which lies after its call. So all operations are linearizable.
 *
 * <p>What follows for callers: {@link #get} is no full fence. Who removes an entry and then looks
 * whether someone uses it cannot rely on users who first declare use somewhere else and then look
 * the entry up; use is declared in the entry itself, which knows whether it is gone.
 *
 * @param <E> what the entries are; the number of an entry must never change
 */
// Which object an entry is, is what counts here, even if entries define equality.
@SuppressWarnings("ReferenceEquality")
public final class NumberTable<E extends NumberTable.Numbered> {
  /** What has a number. */
  public interface Numbered {
    /** The number, always the same. */
    long number();
  }

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Numbered[].class);
  private static final Numbered REMOVED = () -> Long.MIN_VALUE;
  private static final int LEAST_SLOTS = 16;
  private static final int MOST_SLOTS = 1 << 30;

  private final E absent;
  private final Object changing = new Object();
  private volatile Numbered[] slots;

  /** Slots with an entry; guarded by {@link #changing}. */
  private int entries;

  /** Slots with {@link #REMOVED}; guarded by {@link #changing}. */
  private int removed;

  /**
   * An empty table.
   *
   * @param absent what {@link #get} returns if there is no entry; its number does not count, and it
   *     can never be an entry
   */
  public NumberTable(E absent) {
    this.absent = absent;
    this.slots = emptySlots(LEAST_SLOTS);
  }

  /** The entry with this number, {@code absent} if there is none. Never waits. */
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
   * Puts an entry, unless there is one with its number.
   *
   * @return the entry that now has the number
   * @throws IllegalArgumentException if the entry is the one that means absence
   * @throws IllegalStateException if there are 2^28 entries
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

  /** Puts an entry into a slot that was never used, or, if too many were, into a new array. */
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
   * @return whether this very object was there
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

  /** Takes away the marks from this slot backwards, if no path can lead over them. */
  private void takeMarksAway(Numbered[] searched, int markedSlot) {
    int last = searched.length - 1;
    int slot = markedSlot;
    while (searched[slot] == REMOVED && searched[slot + 1 & last] == absent) {
      SLOT.setRelease(searched, slot, absent);
      removed--;
      slot = slot - 1 & last;
    }
  }

  /** Number of entries. Waits for a change that is under way. */
  public int size() {
    synchronized (changing) {
      return entries;
    }
  }

  /**
   * Hands over every entry that there is at one moment of the call, each once. Changes made
   * meanwhile, also by the consumer, do not show.
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

  /** How many slots {@link #get} looks at for this number. */
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

  /** Number of slots, taken or not. */
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
   * Slots for so many entries: a power of two that they fill to between a sixth and a third, so
   * that at least a sixth of the slots change before the next rebuild.
   */
  static int slotsFor(int entries) {
    if (entries > MOST_SLOTS / 4) {
      throw new IllegalStateException(
          "table full: entries=" + entries + " limit=" + MOST_SLOTS / 4);
    }
    int needed = Math.max(LEAST_SLOTS, 3 * entries);
    return Integer.highestOneBit(needed - 1) << 1;
  }

  /**
   * Where the search for a number begins. Numbers of neighbouring chunks differ in a few bits of
   * one field, which a remainder, or one multiplication, sends to the same few slots. The steps and
   * constants are those that SplitMix64 ends with (D. Stafford's variant 13), without the last
   * fold: the upper half is taken instead, where every bit of the number has its part.
   */
  private static int home(long number, int last) {
    long mixed = (number ^ number >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
    return (int) (mixed >>> 32) & last;
  }

  // Only entries are put into slots, but for the mark, which no caller of this gives.
  @SuppressWarnings("unchecked")
  private E entry(Numbered found) {
    return (E) found;
  }
}
