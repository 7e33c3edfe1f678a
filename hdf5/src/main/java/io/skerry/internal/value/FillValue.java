package io.skerry.internal.value;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.datatype.Datatype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The fill value of a dataset, which is the value of elements that were not written.
 *
 * @param type the datatype of the elements
 * @param defined the fill value, one element in the file datatype; empty if none is defined
 */
public record FillValue(Datatype type, Optional<MemorySegment> defined) {
  /** Returns the fill value, one element in the file datatype; zeros if none is defined. */
  public MemorySegment element() {
    return defined.orElseGet(() -> HeapBytes.allocate(type.size()));
  }

  /**
   * Returns the bytes of the fill value.
   *
   * @param what a supplier of a description of the fill value and its dataset for the error message
   *     if memory is insufficient
   */
  public byte[] bytes(Supplier<String> what) {
    // The datatype can specify any element size, even if no element is stored, so the size is
    // checked.
    return MemoryLimit.make(2, type.size(), what, () -> element().toArray(ValueLayout.JAVA_BYTE));
  }
}
