package io.skerry.filter;

import io.skerry.datatype.Datatype;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Describes the data to which a filter is applied. Filters derive their client data from it.
 * Immutable, except for the memory of a fill value.
 */
public sealed interface FilterTarget {
  /** Returns the size of an element in bytes, at least 1. Local, thread-safe; does not fail. */
  int elementSize();

  /**
   * Returns a target that describes the chunks of a dense dataset. Local, thread-safe.
   *
   * @param type the datatype in the file
   * @param shape the size of a chunk in each of the 1 to 32 dimensions, in elements, at least 1;
   *     not checked
   * @param fill the fill value, one element in the file datatype; empty if undefined; not copied
   * @throws IllegalArgumentException if the fill value does not have the size of an element
   */
  static FilterTarget chunk(Datatype type, long[] shape, Optional<MemorySegment> fill) {
    return new Chunk(type, shape, fill);
  }

  /**
   * Returns a target that describes a section of structured chunks, whose length is not fixed.
   * Local, thread-safe.
   *
   * @param elementSize size of an element in bytes, at least 1
   * @throws IllegalArgumentException if the element size is less than 1
   */
  static FilterTarget section(int elementSize) {
    return new Section(elementSize);
  }

  /**
   * The chunks of a dense dataset; see {@link #chunk}. The method {@code equals} compares the bytes
   * of fill values and therefore needs access to their memory.
   *
   * @param type the datatype in the file
   * @param shape the size of a chunk in each dimension, in elements, at least 1; not checked
   * @param fill the fill value, one element in the file datatype, read-only; empty if undefined
   */
  record Chunk(Datatype type, long[] shape, Optional<MemorySegment> fill) implements FilterTarget {
    /**
     * Creates a target. Local, thread-safe.
     *
     * @throws IllegalArgumentException if the fill value does not have the size of an element
     */
    public Chunk {
      shape = shape.clone();
      fill = fill.map(MemorySegment::asReadOnly);
      fill.ifPresent(value -> {
        if (value.byteSize() != type.size()) {
          throw new IllegalArgumentException(
              "fill value: expected=" + type.size() + " bytes actual=" + value.byteSize());
        }
      });
    }

    /** Returns a copy of the sizes of a chunk, in elements. Local, thread-safe; does not fail. */
    @Override
    public long[] shape() {
      return shape.clone();
    }

    @Override
    public int elementSize() {
      return type.size();
    }

    /**
     * Returns the number of elements in a chunk. Local, thread-safe.
     *
     * @throws ArithmeticException if the number exceeds 2^63-1
     */
    public long elements() {
      return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Chunk(Datatype t, long[] s, Optional<MemorySegment> f)
          && t.equals(type)
          && Arrays.equals(s, shape)
          && f.isPresent() == fill.isPresent()
          && (f.isEmpty() || f.get().mismatch(fill.get()) == -1);
    }

    @Override
    public int hashCode() {
      return Objects.hash(type, Arrays.hashCode(shape));
    }

    @Override
    public String toString() {
      return type + " chunk=" + Arrays.toString(shape);
    }
  }

  /**
   * A section of structured chunks; see {@link #section}.
   *
   * @param elementSize size of an element in bytes, at least 1
   */
  record Section(int elementSize) implements FilterTarget {
    /**
     * Creates a target. Local, thread-safe.
     *
     * @throws IllegalArgumentException if the element size is less than 1
     */
    public Section {
      if (elementSize < 1) {
        throw new IllegalArgumentException("element size: elementSize=" + elementSize);
      }
    }

    @Override
    public String toString() {
      return "section of " + elementSize + "-byte elements";
    }
  }
}
