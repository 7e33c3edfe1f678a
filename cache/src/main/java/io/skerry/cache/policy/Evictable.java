package io.skerry.cache.policy;

/**
 * The properties of a cached chunk that an {@link EvictionOrder} needs, and the fields in which the
 * order stores its data. An entry contains its own links, so moving an entry within or between
 * lists requires neither allocation nor search. All fields are guarded by the lock under which the
 * order is called. An entry is in at most one order at a time.
 */
public abstract class Evictable {
  /**
   * The list of the eviction order that contains an entry, or the status of an entry that is in no
   * list.
   */
  enum Place {
    /** Not in the eviction order. */
    OUTSIDE,
    /** Removed from its list as a victim, and neither evicted nor restored yet. */
    NOMINATED,
    /** In the only list of its order, or in the list for its frequency. */
    LISTED,
    /** In the small queue, on probation. */
    SMALL,
    /** In the main queue. */
    MAIN,
    /** In the window, recently added. */
    WINDOW,
    /** In the main part, but not protected: not used since it was admitted or lost protection. */
    PROBATION,
    /** In the main part, and protected: used again, or loaded again soon after its eviction. */
    PROTECTED
  }

  /** Neighbors in a list; an entry that is in no list is its own neighbor. */
  Evictable colder = this;

  Evictable hotter = this;
  Place place = Place.OUTSIDE;

  /** Place of a nominated entry before its nomination. */
  Place origin = Place.OUTSIDE;

  /** Size of the entry in bytes when it was last queried. */
  long charge;

  /** Logical time of the last use. */
  long lastUse;

  /** Number of uses, as counted by the order. */
  int frequency;

  /** Round of aging in which {@link #frequency} was written. */
  int round;

  /** Returns the chunk number within the dataset, which does not change. */
  public abstract long number();

  /**
   * Returns the number of bytes that an eviction of this entry frees. The number may change at any
   * time; an order queries it in {@link EvictionOrder#add}, {@link EvictionOrder#resized} and
   * {@link EvictionOrder#restore}.
   */
  public abstract long bytes();
}
