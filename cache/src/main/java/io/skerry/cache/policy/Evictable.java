package io.skerry.cache.policy;

/**
 * What an {@link EvictionOrder} has to know of a cached chunk, and the room for what it notes about
 * it: an entry carries its own links, so that neither a hit nor an eviction allocates or searches.
 * All fields are guarded by the lock under which the order is called. An entry is in at most one
 * order at a time.
 */
public abstract class Evictable {
  /** Where an entry is, as far as its order knows. */
  enum Place {
    /** In no order. */
    OUTSIDE,
    /** Taken out as a victim; nobody has said yet whether it goes. */
    NOMINATED,
    /** In the only list of its order, or in the one that its frequency tells. */
    LISTED,
    /** On probation in a small queue. */
    SMALL,
    /** In the main queue. */
    MAIN,
    /** Just arrived. */
    WINDOW,
    /** Admitted, and not used again since. */
    PROBATION,
    /** Admitted, and used again. */
    PROTECTED
  }

  /** Neighbours in a list; an entry that is in none is its own neighbour. */
  Evictable colder = this;

  Evictable hotter = this;
  Place place = Place.OUTSIDE;

  /** Where a nominated one was. */
  Place origin = Place.OUTSIDE;

  /** Bytes for which this entry counts: what it said when it was last asked. */
  long charge;

  /** When it was used last, as its order counts time. */
  long lastUse;

  /** How often it was used, in whatever way the order counts. */
  int frequency;

  /** The round of aging in which {@link #frequency} was written. */
  int round;

  /** Number of the chunk in its dataset; does not change. */
  public abstract long number();

  /** Bytes that would be free without this entry; the order is told when they change. */
  public abstract long bytes();
}
