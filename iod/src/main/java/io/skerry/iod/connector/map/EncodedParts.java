package io.skerry.iod.connector.map;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Keys or values in their stored form, in the order of the pairs. */
interface EncodedParts {
  /** Returns the number of keys or values. */
  long count();

  /** Returns a key or value, whose memory must not be changed. */
  MemorySegment get(long index);

  /** Returns parts of equal size that are stored one after another. */
  static EncodedParts packed(MemorySegment elements, int size) {
    return new EncodedParts() {
      @Override
      public long count() {
        return elements.byteSize() / size;
      }

      @Override
      public MemorySegment get(long index) {
        return elements.asSlice(index * size, size);
      }
    };
  }

  /** Returns the parts in a list. */
  static EncodedParts of(List<MemorySegment> parts) {
    return new EncodedParts() {
      @Override
      public long count() {
        return parts.size();
      }

      @Override
      public MemorySegment get(long index) {
        return parts.get(Math.toIntExact(index));
      }
    };
  }
}
