package io.skerry.jobs.interchange.form;

import io.skerry.chunk.datatype.conversion.BinaryReal;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.FloatingPoint;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The value that marks undefined elements in a dense dataset. */
final class AbsentValue {
  private final MemorySegment value;

  /** The datatype if every NaN marks an undefined element; otherwise empty. */
  private final Optional<FloatingPoint> anyNaN;

  private AbsentValue(MemorySegment value, Optional<FloatingPoint> anyNaN) {
    this.value = value;
    this.anyNaN = anyNaN;
  }

  /**
   * Returns a marker that matches exactly the given bytes. An element with other bytes, even
   * another NaN, is defined, so a file needs a mask only if a defined element has these bytes.
   */
  static AbsentValue exactly(byte[] value) {
    return new AbsentValue(MemorySegment.ofArray(value), Optional.empty());
  }

  /**
   * Returns a marker for a value given by a user. If the value is a NaN, every NaN marks an
   * undefined element.
   */
  static AbsentValue named(Datatype type, byte[] value) {
    MemorySegment bytes = MemorySegment.ofArray(value);
    return new AbsentValue(
        bytes,
        type instanceof FloatingPoint real && isNaN(real, bytes, 0)
            ? Optional.of(real)
            : Optional.empty());
  }

  private static boolean isNaN(FloatingPoint type, MemorySegment values, long at) {
    return BinaryReal.read(type, values, at).kind() == BinaryReal.Kind.NAN;
  }

  /** Returns whether an element of packed values matches this marker. */
  boolean is(MemorySegment values, long element) {
    long size = value.byteSize();
    long at = element * size;
    return MemorySegment.mismatch(values, at, at + size, value, 0, size) == -1
        || anyNaN.isPresent() && isNaN(anyNaN.get(), values, at);
  }
}
