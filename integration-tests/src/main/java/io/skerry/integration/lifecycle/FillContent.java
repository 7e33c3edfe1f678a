package io.skerry.integration.lifecycle;

import io.skerry.datatype.Datatype;
import io.skerry.integration.random.FillBytes;
import io.skerry.value.Value;
import java.util.Arrays;

/**
 * The content of elements that were never written.
 *
 * @param value the value that a read returns
 * @param bytes the bytes in the file, all 0 unless {@link FillBytes#fits} returns true for the
 *     type; the bytes are kept because different bytes may represent equal strings
 */
record FillContent(Value value, byte[] bytes) {

  /** Returns the content for a dataset without a fill value. */
  static FillContent zeros(Datatype type) {
    return new FillContent(ValueParts.zero(type), new byte[type.size()]);
  }

  static FillContent of(Datatype type, Value value) {
    return new FillContent(value, FillBytes.of(type, value));
  }

  boolean isAs(FillContent other) {
    return Arrays.equals(bytes, other.bytes);
  }

  /** Returns whether a written value has the same bytes as this content. */
  boolean isAs(Datatype type, Value written) {
    return FillBytes.fits(type)
        ? Arrays.equals(FillBytes.of(type, written), bytes)
        : ValueParts.isZero(type, written);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
