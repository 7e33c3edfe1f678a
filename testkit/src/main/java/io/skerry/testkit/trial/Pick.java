package io.skerry.testkit.trial;

import io.skerry.selection.Selection;

/**
 * A selection and its elements in selection order, which are computed independently.
 *
 * @param selection the selection for the library
 * @param elements row-major indices in the present extent, including repetitions
 */
public record Pick(Selection selection, long[] elements) {
  /** The empty selection. */
  public static final Pick NOTHING = new Pick(Selection.none(), new long[0]);
}
