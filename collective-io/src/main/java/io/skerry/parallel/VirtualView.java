package io.skerry.parallel;

import java.util.Objects;

/**
 * The extent of virtual datasets with unlimited mappings, like {@code H5Pset_virtual_view} and
 * {@code H5Pset_virtual_printf_gap}. Such a dataset grows with its sources; the view determines
 * where it ends if some of them are shorter than others, or missing. Immutable.
 *
 * @param end the element at which the dataset ends
 * @param gap the number, at least 0, of consecutive sources that may be missing in a mapping with
 *     one source per block (a name with {@code %b}), before the sources after them are ignored; has
 *     no effect with {@link End#FIRST_MISSING}
 */
public record VirtualView(End end, long gap) {
  /** The element at which a virtual dataset with unlimited mappings ends. */
  public enum End {
    /**
     * The dataset ends after the last element of any mapping that has a source; the missing
     * elements before it have the fill value. The default.
     */
    LAST_AVAILABLE,
    /**
     * The dataset ends before the first element of any mapping that has no source, so that no
     * element of an unlimited mapping is missing.
     */
    FIRST_MISSING
  }

  /**
   * Creates a view. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the gap is negative
   */
  public VirtualView {
    Objects.requireNonNull(end);
    if (gap < 0) {
      throw new IllegalArgumentException("the gap of a virtual view is negative: gap=" + gap);
    }
  }

  /**
   * Returns the default view: {@link End#LAST_AVAILABLE}, and a gap of 0. Local, thread-safe; does
   * not fail.
   */
  public static VirtualView standard() {
    return new VirtualView(End.LAST_AVAILABLE, 0);
  }
}
