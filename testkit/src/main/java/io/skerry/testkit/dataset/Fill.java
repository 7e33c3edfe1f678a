package io.skerry.testkit.dataset;

import io.skerry.datatype.Datatype;
import io.skerry.testkit.written.FillBytes;
import io.skerry.value.Value;
import java.util.Arrays;

/**
 * The content of elements that were never written.
 *
 * @param value the value that a read returns
 * @param bytes the bytes in the file, all 0 unless {@link FillBytes#fits} the type; a string of zeros
 *     reads like one of blanks
 */
record Fill(Value value, byte[] bytes) {

  /** Returns the content without a given fill value. */
  static Fill zeros(Datatype type) {
    return new Fill(Parts.zero(type), new byte[type.size()]);
  }

  static Fill of(Datatype type, Value value) {
    return new Fill(value, FillBytes.of(type, value));
  }

  boolean isAs(Fill other) {
    return Arrays.equals(bytes, other.bytes);
  }

  /** Returns whether a written value has the same bytes. */
  boolean isAs(Datatype type, Value written) {
    return FillBytes.fits(type)
        ? Arrays.equals(FillBytes.of(type, written), bytes)
        : Parts.isZero(type, written);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
