package io.skerry;

import io.skerry.format.Bytes;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Which elements exist in the copy of a dataset, if not the same as in the dataset itself: from
 * dense to sparse or back, by a value that stands for an element that does not exist. It becomes
 * the fill value of the copy, so that both read alike.
 *
 * @param kind from what to what
 * @param undefined the value, one element as in the file of the dataset; empty for its fill value
 * @param counted hears, on each rank for the chunks that fall to it, how many elements were left
 *     out, or how many that exist have the value and would be left out on the way back
 */
public record SparsityConversion(Kind kind, Optional<Bytes> undefined, LongConsumer counted) {
  /** From what to what. */
  public enum Kind {
    /** Elements of a dense dataset that have the value are left out of a sparse copy. */
    DENSE_TO_SPARSE,
    /** Elements that a sparse dataset does not define have the value in a dense copy. */
    SPARSE_TO_DENSE
  }

  /** The change without its listener: the same text on ranks that ask for the same. */
  @Override
  public String toString() {
    return kind + undefined.map(value -> " undefined=" + value).orElse("");
  }
}
