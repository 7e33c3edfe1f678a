package io.skerry.testkit.dataset;

import io.skerry.datatype.Datatype;
import io.skerry.testkit.written.FillBytes;
import io.skerry.value.Value;
import java.util.Arrays;

/**
 * What elements are that nobody wrote.
 *
 * @param value what they read as
 * @param bytes what that is in the file, all 0 unless {@link FillBytes#fits} the type; a text of
 *     zeros reads as one of blanks does
 */
record Fill(Value value, byte[] bytes) {

  /** Where none is given. */
  static Fill zeros(Datatype type) {
    return new Fill(Parts.zero(type), new byte[type.size()]);
  }

  static Fill of(Datatype type, Value value) {
    return new Fill(value, FillBytes.of(type, value));
  }

  boolean isAs(Fill other) {
    return Arrays.equals(bytes, other.bytes);
  }

  /** Returns whether a value that was written has the same bytes. */
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
