package io.skerry.internal.value;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Signedness;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/**
 * Converts between Java arrays and packed values in a file datatype. A Java integer array whose
 * elements have the width of the file datatype contains the bits of the values, signed or unsigned
 * (a {@code short[]} for a u16 dataset); an array with elements of a different width contains
 * signed integers, and values that do not fit are clipped, as in HDF5.
 */
public final class PackedArrays {
  private static final Endian NATIVE =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Endian.LITTLE : Endian.BIG;

  private PackedArrays() {}

  public static Datatype nativeOrder(Datatype type) {
    return switch (type) {
      case FixedPoint number when number.order() != NATIVE -> number.withOrder(NATIVE);
      case FloatingPoint number when number.order() != NATIVE -> number.withOrder(NATIVE);
      default -> type;
    };
  }

  /**
   * Returns the datatype of the values in a Java byte array: 8-bit integers if the file datatype is
   * an integer or floating-point type, otherwise the file datatype.
   */
  public static Datatype bytes(Datatype file) {
    boolean number = file instanceof FixedPoint || file instanceof FloatingPoint;
    return number ? integers(1, file) : file;
  }

  /**
   * Returns the type of the elements of a Java integer array that holds values of the given file
   * datatype.
   *
   * @param bytes the number of bytes of an array element
   */
  public static Datatype integers(int bytes, Datatype file) {
    if (file instanceof FixedPoint number && number.size() == bytes) {
      boolean same = number.order() == NATIVE && number.isWhole();
      return same ? number : FixedPoint.of(bytes, number.signedness(), NATIVE);
    }
    return FixedPoint.of(bytes, Signedness.SIGNED, NATIVE);
  }

  public static byte[] of(Datatype file, long[] values) {
    return convert(integers(8, file), file, MemorySegment.ofArray(values), values.length);
  }

  public static byte[] of(Datatype file, double[] values) {
    return convert(nativeOrder(Datatype.F64), file, MemorySegment.ofArray(values), values.length);
  }

  private static byte[] convert(Datatype from, Datatype to, MemorySegment in, int count) {
    byte[] out = array(count, to);
    Conversion.between(from, to).convert(in, MemorySegment.ofArray(out), count);
    return out;
  }

  /**
   * Allocates a Java array as a buffer for elements of a type.
   *
   * @throws UnsupportedFeatureException if the elements exceed the maximum size of a Java array
   */
  public static MemorySegment buffer(long elements, Datatype type) {
    return MemorySegment.ofArray(array(elements, type));
  }

  private static byte[] array(long elements, Datatype type) {
    if (elements > (Integer.MAX_VALUE - 8) / type.size()) {
      throw new UnsupportedFeatureException(
          "more than 2 GiB in one array: elements=" + elements + " elementBytes=" + type.size(),
          "use a MemorySegment or smaller parts");
    }
    return new byte[(int) elements * type.size()];
  }

  /**
   * Returns the length of the Java array that is needed to hold values.
   *
   * @param values the number of values
   * @param unit the number of array elements per value
   * @param path a function that returns the path of the dataset, for messages
   * @throws UnsupportedFeatureException if a Java array cannot have that length
   */
  public static int length(long values, int unit, Supplier<String> path) {
    if (values > (Integer.MAX_VALUE - 8) / unit) {
      throw new UnsupportedFeatureException(
          "a longer array than Java has, in place of smaller parts or a MemorySegment: values="
              + values
              + " arrayElementsEach="
              + unit
              + " limit="
              + (Integer.MAX_VALUE - 8),
          path.get());
    }
    return (int) values * unit;
  }
}
