package io.skerry.iod.object;

import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;

/**
 * The changes of one transaction. Reads return the state at the transaction: its own changes, and
 * those of all lower transactions as far as they have been written, finished or not. Methods are
 * local and thread-safe, and throw the exceptions of {@link io.skerry.iod.engine.Changes}.
 */
public interface ValueChanges extends Values {
  /** The maximum size of a value, in bytes: 2^30-12. */
  long LARGEST_VALUE = StoredForm.LARGEST_VALUE;

  /**
   * Stores a value at a place, copying it once.
   *
   * @throws IllegalArgumentException if the value is larger than 2^30-12 bytes
   * @throws io.skerry.exception.FormatException at the levels MEMORY and ALL, if the value changes
   *     while it is copied
   */
  void put(Place place, MemorySegment value);

  /** Stores the value of a buffer at a place without a copy. The buffer can then be reused. */
  void put(Place place, ValueBuffer value);

  /** Removes the value at a place; there need not be one. */
  void remove(Place place);
}
