package io.skerry.jobs.interchange.form;

import io.skerry.datatype.BinaryReal;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.FloatingPoint;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The value of a dense dataset that stands for elements that do not exist. */
final class AbsentValue {
  private final MemorySegment value;

  /** The type, if any of its NaNs is meant. */
  private final Optional<FloatingPoint> anyNaN;

  private AbsentValue(MemorySegment value, Optional<FloatingPoint> anyNaN) {
    this.value = value;
    this.anyNaN = anyNaN;
  }

  /** Exactly these bytes: all others are told from nothing without a mask. */
  static AbsentValue exactly(byte[] value) {
    return new AbsentValue(MemorySegment.ofArray(value), Optional.empty());
  }

  /** The value that somebody named, of which a NaN is as good as another. */
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

  /** Whether an element of packed values has it. */
  boolean is(MemorySegment values, long element) {
    long size = value.byteSize();
    long at = element * size;
    return MemorySegment.mismatch(values, at, at + size, value, 0, size) == -1
        || anyNaN.isPresent() && isNaN(anyNaN.get(), values, at);
  }
}
