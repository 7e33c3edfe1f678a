package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.ArrayType;
import java.lang.foreign.MemorySegment;

/**
 * Converts the elements of arrays of one shape, or the two parts of complex numbers.
 *
 * @param times the number of elements in an array
 * @param stride the size of a converted element of the array, in bytes
 * @param each the converter for an element of the array
 */
record ArrayConverter(int times, int stride, Converter each) implements Converter {
  /** Returns the converter for an array type, given the converter for its base type. */
  static Converter of(ArrayType type, Converter each) {
    int stride = type.base().size();
    return each instanceof Converter.Copy
        ? new Converter.Copy(type.size())
        : new ArrayConverter(type.size() / stride, stride, each);
  }

  @Override
  public void move(MemorySegment in, MemorySegment out, long elements) {
    each.move(in, out, elements * times);
  }

  @Override
  public boolean keepsBytes() {
    return each.keepsBytes();
  }

  @Override
  public void addWrittenBytes(int at, WrittenBytes bytes) {
    if (!each.keepsBytes()) {
      bytes.add(at, times * stride);
      return;
    }
    for (int i = 0; i < times; i++) {
      each.addWrittenBytes(at + i * stride, bytes);
    }
  }
}
