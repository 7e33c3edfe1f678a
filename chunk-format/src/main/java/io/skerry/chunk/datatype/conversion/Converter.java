package io.skerry.chunk.datatype.conversion;

import java.lang.foreign.MemorySegment;

/** Converts packed elements of one type to another. Immutable. */
sealed interface Converter
    permits Converter.Copy, Converter.FullWrite, ArrayConverter, CompoundConverter {
  /** Converts all elements. Both segments must have a size of exactly {@code elements} elements. */
  void move(MemorySegment in, MemorySegment out, long elements);

  /** Returns whether some bytes of a target element keep their previous values. */
  default boolean keepsBytes() {
    return false;
  }

  /**
   * Adds the ranges of bytes that this converter writes in a target element.
   *
   * @param at the offset of the element in bytes, added to the offsets of the ranges
   * @param bytes the set to which the ranges are added
   */
  void addWrittenBytes(int at, WrittenBytes bytes);

  /**
   * Copies elements unchanged.
   *
   * @param size the size of an element in bytes
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

  /** Converts elements in a loop that writes every byte of each target element. */
  @FunctionalInterface
  interface Loop {
    void move(MemorySegment in, MemorySegment out, long elements);
  }

  /**
   * A converter that writes every byte of each target element.
   *
   * @param size the size of a target element in bytes
   * @param loop the loop that converts the elements
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
