package io.skerry.chunk.datatype.conversion;

import java.lang.foreign.MemorySegment;

/** Converts packed elements of one type; found once, used for many. Immutable. */
sealed interface Converter
    permits Converter.Copy, Converter.Whole, ArrayConverter, CompoundConverter {
  /** Converts elements 0 to {@code elements - 1}; the segments have the right lengths. */
  void move(MemorySegment in, MemorySegment out, long elements);

  /** Whether an element that comes out has bytes that stay what they were. */
  default boolean keeps() {
    return false;
  }

  /** Adds the bytes that it writes in an element that begins at a byte. */
  void written(int at, WrittenBytes bytes);

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
    public void written(int at, WrittenBytes bytes) {
      bytes.add(at, size);
    }
  }

  /** What a step does that writes every byte. */
  @FunctionalInterface
  interface Mover {
    void move(MemorySegment in, MemorySegment out, long elements);
  }

  /**
   * Writes every byte.
   *
   * @param size bytes of an element that comes out
   */
  record Whole(int size, Mover mover) implements Converter {
    @Override
    public void move(MemorySegment in, MemorySegment out, long elements) {
      mover.move(in, out, elements);
    }

    @Override
    public void written(int at, WrittenBytes bytes) {
      bytes.add(at, size);
    }
  }
}
