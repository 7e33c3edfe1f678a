package io.skerry.internal.copy.element;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.datatype.conversion.BinaryReal;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.FloatingPoint;
import java.lang.foreign.MemorySegment;

/**
 * The value that marks undefined elements. An element has this value if the bytes of both are
 * equal, or if both are NaN.
 */
public final class UndefinedValue {
  private final Datatype type;
  private final MemorySegment value;
  private final boolean isNaN;

  /**
   * Creates the comparison with a value.
   *
   * @param value one element in the datatype
   * @throws IllegalArgumentException if the value has a different size
   */
  public UndefinedValue(Datatype type, MemorySegment value) {
    if (value.byteSize() != type.size()) {
      throw new IllegalArgumentException(
          "a value of another size: expected=" + type.size() + " actual=" + value.byteSize());
    }
    this.type = type;
    this.value = value;
    this.isNaN = isNaN(value, 0);
  }

  private boolean isNaN(MemorySegment in, long at) {
    return type instanceof FloatingPoint real
        && BinaryReal.read(real, in, at).kind() == BinaryReal.Kind.NAN;
  }

  /** Returns whether the element at a byte offset has the value. */
  public boolean is(MemorySegment packed, long at) {
    long same = MemorySegment.mismatch(packed, at, at + type.size(), value, 0, type.size());
    return same == -1 || isNaN && isNaN(packed, at);
  }

  /**
   * Returns the elements of a chunk that have the value.
   *
   * @param values the values of {@code elements}, in ascending order of the element numbers;
   *     variable-length content may follow them
   */
  RunSet among(RunSet elements, MemorySegment values) {
    RunSet.Builder found = new RunSet.Builder();
    long at = 0;
    for (int run = 0; run < elements.runs(); run++) {
      for (long index = elements.start(run); index < elements.end(run); index++) {
        if (is(values, at)) {
          found.add(index, index + 1);
        }
        at += type.size();
      }
    }
    return found.build();
  }
}
