package io.skerry.integration.random;

import io.skerry.selection.Selection;

/**
 * A selection, and its elements in selection order, computed independently of the library.
 *
 * @param selection the selection for the library
 * @param elements row-major indices in the current extent, including repetitions
 */
public record PickedElements(Selection selection, long[] elements) {
  /** The empty selection. */
  public static final PickedElements NOTHING = new PickedElements(Selection.none(), new long[0]);
}
