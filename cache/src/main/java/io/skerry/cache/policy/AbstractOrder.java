package io.skerry.cache.policy;

import io.skerry.cache.policy.Evictable.Place;
import java.util.Optional;

/**
 * What is the same in every order: who is in it, what they count for, who is remembered. A policy
 * says into which list an entry goes and which one is next.
 */
abstract class AbstractOrder<E extends Evictable> implements EvictionOrder<E> {
  /** Whether a newcomer was here lately. */
  enum Arrival {
    NEW,
    AGAIN
  }

  private final GhostList ghosts = new GhostList();
  private long capacity = Long.MAX_VALUE;
  private int size;
  private long bytes;
  private int mostSize;
  private long mostBytes;

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

  /** Bytes among which a policy divides its room: at least 0, and never more than is resident. */
  final long room() {
    return Math.min(capacity, bytes);
  }

  @Override
  public final void add(E entry) {
    if (entry.place != Place.OUTSIDE) {
      throw new IllegalStateException(
          "entry is in an order already: number=" + entry.number() + " place=" + entry.place);
    }
    entry.charge = entry.bytes();
    Arrival arrival = ghosts.forget(entry.number()) ? Arrival.AGAIN : Arrival.NEW;
    count(entry);
    arrive(entry, arrival);
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
      touch(entry);
    }
  }

  @Override
  public final void resized(E entry, long delta) {
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
      ghosts.remember(entry.number(), entry.charge, Math.min(capacity, mostBytes), mostSize);
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
