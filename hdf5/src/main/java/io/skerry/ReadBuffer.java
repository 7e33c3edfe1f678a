package io.skerry;

import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Conversion;
import io.skerry.chunk.type.Datatype;
import io.skerry.connector.StoredDataset;
import java.lang.foreign.MemorySegment;

/**
 * Where the values of one read go: straight into the caller's memory, or by way of a buffer if they
 * are to be converted.
 */
final class ReadBuffer {
  private final Conversion conversion;
  private final long count;
  private final MemorySegment values;
  private final MemorySegment packed;

  /**
   * @param shape extent of the dataset
   * @param from type in the file
   * @param to type in memory
   * @param target makes the caller's memory for a number of elements
   */
  ReadBuffer(
      Selection selection,
      Shape shape,
      Datatype from,
      Datatype to,
      StoredDataset.ReadTarget target) {
    this.conversion = Conversion.between(from, to);
    this.count = selection.count(shape);
    this.values = target.make(count);
    long expected = Math.multiplyExact(count, to.size());
    if (values.byteSize() < expected) {
      throw new IllegalArgumentException(
          "the buffer is too small: expectedBytes="
              + expected
              + " actualBytes="
              + values.byteSize());
    }
    this.packed = conversion.isIdentity() ? values : Packed.buffer(count, from);
  }

  /** Receives the values in the type of the file. */
  MemorySegment packed() {
    return packed;
  }

  /** Converts what was received. */
  void finish() {
    if (!conversion.isIdentity()) {
      conversion.convert(packed, values, count);
    }
  }
}
