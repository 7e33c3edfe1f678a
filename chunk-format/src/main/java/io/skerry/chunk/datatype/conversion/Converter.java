package io.skerry.chunk.datatype.conversion;

import java.lang.foreign.MemorySegment;

/** Converts packed elements of one type; found once, used for many. Immutable. */
sealed interface Converter
    permits Converter.Copy, Converter.FullWrite, ArrayConverter, CompoundConverter {
  /** Converts elements 0 to {@code elements - 1}; the segments have the right lengths. */
  void move(MemorySegment in, MemorySegment out, long elements);

  /** Tells whether bytes of a converted element keep what the target held before. */
  default boolean keepsBytes() {
    return false;
  }

  /** Adds the bytes that are written in an element that begins at a byte. */
  void addWrittenBytes(int at, WrittenBytes bytes);

  /**
   * Leaves everything as it is.
   *
   * @param size bytes of an element
   */
  record Copy(int size) implements Converter {
    @Override
    public void move(MemorySegment in, MemorySegment out, long elements) {
      out.copyFrom(in);
    }

    @Override
    public void addWrittenBytes(int at, WrittenBytes bytes) {
      bytes.add(at, size);
    }
  }

  /** The loop over the elements of a conversion that writes every byte. */
  @FunctionalInterface
  interface Loop {
    void move(MemorySegment in, MemorySegment out, long elements);
  }

  /**
   * Writes every byte.
   *
   * @param size bytes of an element that comes out
   */
  record FullWrite(int size, Loop loop) implements Converter {
    @Override
    public void move(MemorySegment in, MemorySegment out, long elements) {
      loop.move(in, out, elements);
    }

    @Override
    public void addWrittenBytes(int at, WrittenBytes bytes) {
      bytes.add(at, size);
    }
  }
}
