package io.skerry.testkit.trial;

import io.skerry.selection.Selection;

/**
 * A selection and, found without it, its elements in selection order.
 *
 * @param selection what the library is given
 * @param elements row-major indices in the extent of the moment, repetitions kept
 */
public record Pick(Selection selection, long[] elements) {
  /** No element. */
  public static final Pick NOTHING = new Pick(Selection.none(), new long[0]);
}
