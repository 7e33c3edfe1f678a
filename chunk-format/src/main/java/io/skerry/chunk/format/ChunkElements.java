package io.skerry.chunk.format;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The shape, datatype and fill value of a chunk, as used by every format, and the argument checks
 * that the formats share.
 */
final class ChunkElements {
  /**
   * The maximum number of elements in a chunk, and the maximum size of its values in bytes,
   * according to "RFC: Sparse Chunks" (N. Fortner, J. Mainzer, 2018) and to HDF5.
   */
  static final long LIMIT = 0xffffffffL;

  private final long[] shape;
  private final long count;
  private final Datatype type;
  private final MemorySegment fill;

  /** True if all bytes of the fill value are equal. */
  private final boolean uniform;

  private ChunkElements(long[] shape, long count, Datatype type, MemorySegment fill) {
    this.shape = shape;
    this.count = count;
    this.type = type;
    this.fill = fill;
    this.uniform = HeapBytes.isUniform(fill);
  }

  /** Returns the properties of a chunk with zeros as the fill value. */
  static ChunkElements of(long[] shape, Datatype type) {
    long elements = 1;
    for (long size : shape) {
      elements = size < 1 || size > LIMIT / elements ? LIMIT + 1 : elements * size;
      if (elements > LIMIT) {
        break;
      }
    }
    if (shape.length < 1 || shape.length > 32 || elements > LIMIT) {
      throw new IllegalArgumentException(
          "chunk shape: rank must be 1..32, sizes positive, elements at most "
              + LIMIT
              + ": shape="
              + Arrays.toString(shape));
    }
    if (elements * type.size() > LIMIT) {
      throw new IllegalArgumentException(
          "chunk too large: bytes=" + elements * type.size() + " limit=" + LIMIT);
    }
    return new ChunkElements(
        shape.clone(), elements, type, HeapBytes.allocate(type.size()).asReadOnly());
  }

  ChunkElements withFill(MemorySegment value) {
    if (value.byteSize() != type.size()) {
      throw new IllegalArgumentException(
          "fill value: expected=" + type.size() + " bytes actual=" + value.byteSize());
    }
    return new ChunkElements(shape, count, type, HeapBytes.copyOf(value).asReadOnly());
  }

  long[] shape() {
    return shape.clone();
  }

  long count() {
    return count;
  }

  Datatype type() {
    return type;
  }

  MemorySegment fill() {
    return fill;
  }

  /** Returns the size of the given number of elements, in bytes. */
  long bytes(long elements) {
    return elements * type.size();
  }

  /** Checks that elements are within the chunk. */
  void check(RunSet elements) {
    checkBound(elements.bound());
  }

  private void checkBound(long bound) {
    if (bound > count) {
      throw new IllegalArgumentException(
          "element outside the chunk: index=" + (bound - 1) + " elements=" + count);
    }
  }

  /** Checks that elements are within the chunk and that a buffer has exactly their size. */
  void check(RunSet elements, MemorySegment packed) {
    check(elements);
    checkRoom(elements.count(), packed);
  }

  /** Checks that rows are within the chunk and that a block is large enough for them. */
  void check(ChunkRows rows, MemorySegment block) {
    checkBound(rows.bound());
    if (block.byteSize() < bytes(rows.placeBound())) {
      throw PackedRows.tooSmall(bytes(rows.placeBound()), block);
    }
  }

  private void checkRoom(long elements, MemorySegment packed) {
    if (packed.byteSize() != bytes(elements)) {
      throw new IllegalArgumentException(
          "packed values: expected=" + bytes(elements) + " actual=" + packed.byteSize());
    }
  }

  /**
   * Fills a buffer with the fill value. Each step copies the part that is already filled, so the
   * size of the copies doubles.
   */
  void fillUp(MemorySegment target) {
    if (uniform) {
      target.fill(fill.get(ValueLayout.JAVA_BYTE, 0));
      return;
    }
    long filled = Math.min(fill.byteSize(), target.byteSize());
    MemorySegment.copy(fill, 0, target, 0, filled);
    while (filled < target.byteSize()) {
      long more = Math.min(filled, target.byteSize() - filled);
      MemorySegment.copy(target, 0, target, filled, more);
      filled += more;
    }
  }

  /**
   * Returns the elements whose coordinate in each dimension {@code d} is below {@code valid[d]}.
   */
  RunSet inside(RunSet elements, long[] valid) {
    if (valid.length != shape.length) {
      throw new IllegalArgumentException(
          "clip: expected rank=" + shape.length + " actual=" + valid.length);
    }
    for (int d = 0; d < shape.length; d++) {
      if (valid[d] < 0 || valid[d] > shape[d]) {
        throw new IllegalArgumentException(
            "clip: dimension=" + d + " valid=" + valid[d] + " size=" + shape[d]);
      }
    }
    return CornerClip.clip(elements, shape, valid);
  }

  /** Returns a description of the shape and the type, for example {@code 16x256 u16}. */
  String describe() {
    return Shape.of(shape) + " " + type;
  }
}
