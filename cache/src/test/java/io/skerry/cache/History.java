package io.skerry.cache;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The recent values of each element of a dataset that readers may still see. Only one thread writes
 * each element, so the order of its values is known. A concurrent reader must see a value that the
 * element had at some moment during the read.
 *
 * <p>A thread begins an operation before it makes the request, and ends it afterwards. A reader
 * records before its read which operations have ended, and afterwards which have begun. It may see
 * the values of the operations in between, and no others.
 */
public final class History {
  /** Number of values that are kept. */
  private static final int KEPT = 16;

  /** Operation number of values that no operation of the owner wrote. */
  public static final int OTHER = -1;

  /** Start of the message if an operation was seen in part. */
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

  /** Records that the owner is about to write an element. */
  public void begin(int element, int operation, long value) {
    int version = begun.get(element) + 1;
    values[slot(element, version)] = value;
    operations[slot(element, version)] = operation;
    begun.set(element, version);
  }

  /** Records that the owner has written an element. */
  public void end(int element) {
    ended.set(element, begun.get(element));
  }

  /** Returns the value before the last operation. */
  public long valueBefore(int element) {
    return values[slot(element, begun.get(element) - 1)];
  }

  /** Returns the value of the last operation. */
  public long value(int element) {
    return values[slot(element, begun.get(element))];
  }

  /** Returns the versions that a reader records before it reads. */
  public int[] versions(int[] elements) {
    int[] versions = new int[elements.length];
    for (int i = 0; i < versions.length; i++) {
      versions[i] = ended.get(elements[i]);
    }
    return versions;
  }

  /**
   * Compares the values of elements of one owner, read by one request, with the possible values.
   *
   * @param elements the elements
   * @param before the versions recorded before the read
   * @param seen the values
   * @return a description of the error; empty if there is none
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

  /** The information in the value of one element. */
  private sealed interface Sight {}

  /** No information: the values of that time are no longer kept. */
  private record Lost() implements Sight {}

  private record Wrong(String what) implements Sight {}

  /** The element had the value more than once. */
  private record Ambiguous() implements Sight {}

  /**
   * The operation that wrote the value is known.
   *
   * @param operation the operation
   * @param later the next operation on the element, which was not seen
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

  /** Returns whether the values since a version have been or are being overwritten. */
  private boolean isForgotten(int element, int since) {
    return begun.get(element) - since >= KEPT - 1;
  }

  /**
   * Returns whether an element may have been defined, or undefined, since a reader recorded its
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

  /** Describes the versions of an element from a given version on, for error messages. */
  public String told(int element, int from) {
    StringBuilder text = new StringBuilder(" element " + element + " was");
    for (int version = from; version <= begun.get(element); version++) {
      text.append(' ').append(values[slot(element, version)]);
      text.append('@').append(operations[slot(element, version)]);
    }
    return text.toString();
  }
}
