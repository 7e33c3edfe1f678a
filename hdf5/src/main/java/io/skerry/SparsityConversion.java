package io.skerry;

import io.skerry.format.Bytes;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A conversion between dense and sparse storage in a copy of a dataset. One value marks undefined
 * elements: a conversion to sparse storage omits elements with that value, and a conversion to
 * dense storage stores the value in undefined elements. The value becomes the fill value of the
 * copy. Reads of both datasets return the same values, except that a conversion to dense storage
 * with a value other than the fill value of the dataset gives undefined elements that value. If no
 * value is given, a virtual dataset with sparse sources is converted to sparse storage with exactly
 * its defined elements. Immutable.
 *
 * @param kind the direction of the conversion
 * @param undefined the value, one element in the file datatype; empty for the fill value of the
 *     dataset
 * @param counted a consumer that is called on each rank for each chunk that the rank converts, with
 *     the number of elements that are left out or, in a conversion to dense storage, the number of
 *     defined elements that have the value, which a conversion back to sparse storage would leave
 *     out; not called for a virtual dataset with sparse sources if no value is given
 */
public record SparsityConversion(Kind kind, Optional<Bytes> undefined, LongConsumer counted) {
  /** The direction of a conversion. */
  public enum Kind {
    /** From dense to sparse: elements that have the value are left out of the copy. */
    DENSE_TO_SPARSE,
    /** From sparse to dense: undefined elements have the value in the copy. */
    SPARSE_TO_DENSE
  }

  /**
   * Returns a description of the conversion, without {@code counted}. Local, thread-safe; does not
   * fail.
   *
   * @return the description, equal on ranks that request equal conversions
   */
  @Override
  public String toString() {
    return kind + undefined.map(value -> " undefined=" + value).orElse("");
  }
}
