package io.skerry.cache.policy;

import io.skerry.cache.policy.Evictable.Place;
import io.skerry.cache.policy.GhostQueue.Ghost;
import java.util.Optional;

/**
 * Base class of all eviction orders. Keeps track of resident entries, their sizes, and recently
 * evicted entries. A subclass chooses the list for an entry and the next victim.
 */
abstract class AbstractOrder<E extends Evictable> implements EvictionOrder<E> {
  /** History of a new entry. */
  enum Arrival {
    /** Not in the record of evicted entries. */
    NEW,
    /** Evicted recently. */
    AGAIN,
    /** Evicted so recently that an LRU order would probably still have kept it. */
    SOON
  }

  private final GhostQueue ghosts = new GhostQueue();
  private long capacity = Long.MAX_VALUE;
  private int size;
  private long bytes;
  private int mostSize;
  private long mostBytes;

  /** Size of the resident entries after the last victims were removed, in bytes. */
  private long settled = Long.MAX_VALUE;

  /** True if a victim has been nominated since the last arrival. */
  private boolean nominated;

  /**
   * The logical time: the total size of all arrivals and uses, in bytes. Between two uses of a
   * chunk, the logical time advances by at least the total size of the distinct chunks used in
   * between, provided that the order is notified of these uses.
   */
  private long time;

  /** Adds a new entry to a list. */
  abstract void arrive(Evictable entry, Arrival arrival);

  /** Records a use of a resident entry. */
  abstract void touch(Evictable entry);

  /** Returns the next victim without removing it. The order must contain at least one entry. */
  abstract Evictable next();

  /**
   * Puts a victim back into the list from which it was nominated (see {@link Evictable#origin}), as
   * the next victim of that list.
   */
  abstract void putBack(Evictable entry);

  /** Returns the list that contains a resident entry. */
  abstract EntryList listOf(Evictable entry);

  /**
   * Returns the number of bytes that a policy divides among its lists: the capacity, the size of
   * the resident entries, or their size after the last victims were removed, whichever is least.
   */
  final long room() {
    return Math.min(Math.min(capacity, settled), bytes);
  }

  @Override
  public final void add(E entry) {
    if (entry.place != Place.OUTSIDE) {
      throw new IllegalStateException(
          "entry is in an order already: number=" + entry.number() + " place=" + entry.place);
    }
    entry.charge = entry.bytes();
    if (nominated) {
      settled = bytes;
      nominated = false;
    }
    Arrival arrival = arrival(ghosts.forget(entry.number()));
    note(entry);
    count(entry);
    arrive(entry, arrival);
  }

  private Arrival arrival(Optional<Ghost> ghost) {
    if (ghost.isEmpty()) {
      return Arrival.NEW;
    }
    return time - ghost.get().lastUse() < mostBytes() ? Arrival.SOON : Arrival.AGAIN;
  }

  private long mostBytes() {
    return Math.min(capacity, mostBytes);
  }

  private void note(Evictable entry) {
    time += entry.charge;
    entry.lastUse = time;
  }

  private void count(Evictable entry) {
    size++;
    bytes += entry.charge;
    mostSize = Math.max(mostSize, size);
    mostBytes = Math.max(mostBytes, bytes);
  }

  private void takeOut(Evictable entry) {
    listOf(entry).unlink(entry);
    size--;
    bytes -= entry.charge;
  }

  private static boolean isResident(Evictable entry) {
    return entry.place != Place.OUTSIDE && entry.place != Place.NOMINATED;
  }

  @Override
  public final void use(E entry) {
    if (isResident(entry)) {
      note(entry);
      touch(entry);
    }
  }

  @Override
  public final void resized(E entry) {
    if (isResident(entry)) {
      long before = entry.charge;
      listOf(entry).charge(entry, entry.bytes());
      bytes += entry.charge - before;
      mostBytes = Math.max(mostBytes, bytes);
    }
  }

  @Override
  public final void remove(E entry) {
    if (isResident(entry)) {
      takeOut(entry);
    }
    entry.place = Place.OUTSIDE;
  }

  // The lists contain only entries that were passed to add.
  @SuppressWarnings("unchecked")
  @Override
  public final Optional<E> nominate() {
    if (size == 0) {
      return Optional.empty();
    }
    nominated = true;
    Evictable victim = next();
    takeOut(victim);
    victim.origin = victim.place;
    victim.place = Place.NOMINATED;
    return Optional.of((E) victim);
  }

  @Override
  public final void restore(E entry) {
    if (entry.place == Place.NOMINATED) {
      entry.charge = entry.bytes();
      count(entry);
      putBack(entry);
    }
  }

  @Override
  public final void evicted(E entry) {
    if (entry.place == Place.NOMINATED) {
      entry.place = Place.OUTSIDE;
      ghosts.remember(
          entry.number(), new Ghost(entry.charge, entry.lastUse), mostBytes(), mostSize);
    }
  }

  @Override
  public final int size() {
    return size;
  }

  @Override
  public final long bytes() {
    return bytes;
  }

  @Override
  public final void capacity(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("capacity must not be negative: bytes=" + bytes);
    }
    capacity = bytes;
  }

  @Override
  public final boolean wasEvictedLately(long number) {
    return ghosts.contains(number);
  }
}
