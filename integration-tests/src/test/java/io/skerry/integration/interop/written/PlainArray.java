package io.skerry.integration.interop.written;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;

/** A model of a dataset: a byte array at the largest extent, and the set of written elements. */
final class PlainArray {
  private final Shape shape;
  private final int elementSize;
  private final byte[] fill;
  private final byte[] bytes;
  private final BitSet defined = new BitSet();

  PlainArray(Shape shape, byte[] fill) {
    this.shape = Shape.of(shape.extent());
    this.elementSize = fill.length;
    this.fill = fill;
    this.bytes = new byte[Math.toIntExact(shape.elements()) * elementSize];
    for (int at = 0; at < bytes.length; at += elementSize) {
      System.arraycopy(fill, 0, bytes, at, elementSize);
    }
  }

  void write(Selection selection, byte[] values) {
    int[] from = {0};
    selection.forEachRun(
        shape,
        (coordinates, length) -> {
          int first = index(coordinates);
          int size = Math.toIntExact(length) * elementSize;
          System.arraycopy(values, from[0], bytes, first * elementSize, size);
          defined.set(first, first + (int) length);
          from[0] += size;
        });
  }

  void erase(Selection selection) {
    selection.forEachRun(
        shape,
        (coordinates, length) -> {
          int first = index(coordinates);
          defined.clear(first, first + (int) length);
          for (int i = first; i < first + length; i++) {
            System.arraycopy(fill, 0, bytes, i * elementSize, elementSize);
          }
        });
  }

  private int index(long[] coordinates) {
    long index = 0;
    for (int i = 0; i < shape.rank(); i++) {
      index = index * shape.extent(i) + coordinates[i];
    }
    return Math.toIntExact(index);
  }

  Shape shape() {
    return shape;
  }

  byte[] bytes() {
    return bytes;
  }

  byte[] fill() {
    return fill;
  }

  /** Returns the coordinates of the written elements in row-major order, i64 little-endian. */
  byte[] definedCoordinates() {
    int rank = shape.rank();
    ByteBuffer out =
        ByteBuffer.allocate(defined.cardinality() * rank * 8).order(ByteOrder.LITTLE_ENDIAN);
    defined.stream()
        .forEach(index -> {
          int at = out.position();
          long rest = index;
          for (int i = rank - 1; i >= 0; i--) {
            out.putLong(at + i * 8, rest % shape.extent(i));
            rest /= shape.extent(i);
          }
          out.position(at + rank * 8);
        });
    return out.array();
  }

  /** Returns the values of the written elements in row-major order. */
  byte[] definedValues() {
    byte[] out = new byte[defined.cardinality() * elementSize];
    int[] at = {0};
    defined.stream()
        .forEach(index -> {
          byte[] element =
              Arrays.copyOfRange(bytes, index * elementSize, (index + 1) * elementSize);
          System.arraycopy(element, 0, out, at[0], elementSize);
          at[0] += elementSize;
        });
    return out;
  }
}
