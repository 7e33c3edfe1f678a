package io.skerry.cache;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * What each element of a dataset has held, as far as readers may still see it. Each element belongs
 * to one thread, which alone writes it; so the order of its values is known, and whoever reads it
 * while it is written must see one that was there at some moment of the reading.
 *
 * <p>A thread begins an operation before it asks the cache for it and ends it afterwards. Who reads
 * notes before which operations have ended, and after which have begun: all in between may be seen,
 * and nothing else.
 */
public final class History {
  /** Values that are remembered. */
  private static final int KEPT = 16;

  /** No operation of the owner. */
  public static final int OTHER = -1;

  /** What is said first if operations are seen in part. */
  public static final String TORN = "operation ";

  private final long[] values;
  private final int[] operations;
  private final AtomicIntegerArray begun;
  private final AtomicIntegerArray ended;

  History(int elements) {
    values = new long[elements * KEPT];
    operations = new int[elements * KEPT];
    begun = new AtomicIntegerArray(elements);
    ended = new AtomicIntegerArray(elements);
  }

  private static int slot(int element, int version) {
    return element * KEPT + Math.floorMod(version, KEPT);
  }

  /** The owner is about to give an element a value. */
  public void begin(int element, int operation, long value) {
    int version = begun.get(element) + 1;
    values[slot(element, version)] = value;
    operations[slot(element, version)] = operation;
    begun.set(element, version);
  }

  /** The owner has given the elements their values. */
  public void end(int element) {
    ended.set(element, begun.get(element));
  }

  /** The value before the last operation was begun. */
  public long valueBefore(int element) {
    return values[slot(element, begun.get(element) - 1)];
  }

  /** The value that the last operation gave. */
  public long value(int element) {
    return values[slot(element, begun.get(element))];
  }

  /** What a reader notes before it reads. */
  public int[] versions(int[] elements) {
    int[] versions = new int[elements.length];
    for (int i = 0; i < versions.length; i++) {
      versions[i] = ended.get(elements[i]);
    }
    return versions;
  }

  /**
   * Compares what was read of elements of one owner, all at once, with what can have been there.
   *
   * @param before what was noted before
   * @return what is wrong; empty if nothing is
   */
  public String compare(int[] elements, int[] before, long[] seen) {
    int last = Integer.MIN_VALUE;
    int next = Integer.MAX_VALUE;
    for (int i = 0; i < elements.length; i++) {
      Sight sight = sight(elements[i], before[i], seen[i]);
      switch (sight) {
        case Lost _ -> {}
        case Wrong(String what) -> {
          return what;
        }
        case Ambiguous _ -> {}
        case Clear(int operation, int later) -> {
          last = Math.max(last, operation);
          next = later == OTHER ? next : Math.min(next, later);
        }
      }
    }
    return last < next ? "" : TORN + last + " is seen, but not all of " + next;
  }

  /** What the value of one element tells. */
  private sealed interface Sight {}

  /** Nothing: what was there meanwhile is forgotten. */
  private record Lost() implements Sight {}

  private record Wrong(String what) implements Sight {}

  /** It was there more than once. */
  private record Ambiguous() implements Sight {}

  /**
   * An operation is seen.
   *
   * @param later the next one on this element, which is not
   */
  private record Clear(int operation, int later) implements Sight {}

  private Sight sight(int element, int before, long seen) {
    int now = begun.get(element);
    int found = 0;
    int operation = OTHER;
    int later = Integer.MAX_VALUE;
    for (int version = Math.max(before, now - KEPT + 1); version <= now; version++) {
      if (values[slot(element, version)] == seen) {
        found++;
        operation = operations[slot(element, version)];
        later = version == now ? Integer.MAX_VALUE : operations[slot(element, version + 1)];
      }
    }
    if (isForgotten(element, before)) {
      return new Lost();
    }
    return switch (found) {
      case 0 -> new Wrong(seen + " is seen," + told(element, before));
      case 1 -> new Clear(operation, later);
      default -> new Ambiguous();
    };
  }

  /**
   * Returns whether so much has happened that values since then are overwritten, or may just be.
   */
  private boolean isForgotten(int element, int since) {
    return begun.get(element) - since >= KEPT - 1;
  }

  /**
   * Returns whether an element may have been defined, or undefined, since a reader noted its
   * version.
   */
  public boolean canBe(int element, int before, boolean defined) {
    int now = begun.get(element);
    boolean can = false;
    for (int version = Math.max(before, now - KEPT + 1); version <= now; version++) {
      can |= values[slot(element, version)] != 0 == defined;
    }
    return can || isForgotten(element, before);
  }

  /** For messages: the versions of an element since one of them. */
  public String told(int element, int from) {
    StringBuilder text = new StringBuilder(" element " + element + " was");
    for (int version = from; version <= begun.get(element); version++) {
      text.append(' ').append(values[slot(element, version)]);
      text.append('@').append(operations[slot(element, version)]);
    }
    return text.toString();
  }
}
