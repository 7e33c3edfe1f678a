package io.skerry.cache.policy;

import io.skerry.cache.policy.Evictable.Place;
import io.skerry.cache.policy.GhostQueue.Ghost;
import java.util.Optional;

/**
 * What is the same in every order: who is in it, what they count for, who is remembered. A policy
 * says into which list an entry goes and which one is next.
 */
abstract class AbstractOrder<E extends Evictable> implements EvictionOrder<E> {
  /** What is known of a newcomer. */
  enum Arrival {
    /** Nothing. */
    NEW,
    /** It was evicted lately. */
    AGAIN,
    /** So lately that the least recently used order would still have had it. */
    SOON
  }

  private final GhostQueue ghosts = new GhostQueue();
  private long capacity = Long.MAX_VALUE;
  private int size;
  private long bytes;
  private int mostSize;
  private long mostBytes;

  /** What was resident when the last victims had gone. */
  private long settled = Long.MAX_VALUE;

  /** Whether there was a victim since the last arrival. */
  private boolean nominated;

  /**
   * The time: bytes of all arrivals and uses. Between two uses of a chunk it passes by at least the
   * bytes of all different chunks that were used meanwhile, as far as the order is told.
   */
  private long time;

  /** Puts a newcomer into a list. */
  abstract void arrive(Evictable entry, Arrival arrival);

  /** Notes a use of a resident entry. */
  abstract void touch(Evictable entry);

  /** The next victim, which stays where it is; there is an entry. */
  abstract Evictable next();

  /** Puts a victim back to where {@link Evictable#origin} says it was, as the next one there. */
  abstract void putBack(Evictable entry);

  /** The list that a resident entry is in. */
  abstract EntryList listOf(Evictable entry);

  /**
   * Bytes among which a policy divides its room: what the dataset may hold, or what it was left
   * with after the last victims, if others need the rest. What has arrived since then is what there
   * is no room for.
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

  // Only what add took gets into the lists.
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
