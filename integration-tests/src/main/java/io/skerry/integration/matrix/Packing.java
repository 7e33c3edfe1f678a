package io.skerry.integration.matrix;

import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.integration.matrix.pattern.CollectiveStep;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Converts whole numbers to elements of a type in memory and back, without using the conversions
 * under test. An element contains one number or, if it is a compound, one number for each member,
 * in the order of the member names.
 */
final class Packing {
  private static final FloatingPoint DOUBLE = Datatype.F64.withOrder(Endian.BIG);

  private Packing() {}

  /** Returns the number of values in an element. */
  static int width(Datatype type) {
    return type instanceof Compound compound ? compound.members().size() : 1;
  }

  /** Returns the type in memory for a type in the file. */
  static Datatype inMemory(Datatype type, CollectiveStep.Memory memory) {
    return switch (memory) {
      case AS_STORED -> type;
      case OTHER ->
          type instanceof Compound
              ? new Compound(
                  24,
                  List.of(
                      new Compound.Member("c", 0, DOUBLE),
                      new Compound.Member("b", 8, Datatype.I64),
                      new Compound.Member("a", 16, Datatype.I64.withOrder(Endian.BIG))))
              : DOUBLE;
      case ONE_MEMBER -> new Compound(8, List.of(new Compound.Member("b", 0, Datatype.I64)));
    };
  }

  /**
   * Returns elements of a type that contain the given numbers.
   *
   * @param numbers the numbers of all elements in order
   */
  static MemorySegment pack(Datatype type, long[] numbers) {
    int width = width(type);
    MemorySegment packed =
        MemorySegment.ofArray(new byte[Math.toIntExact(numbers.length / width * type.size())]);
    for (int i = 0; i < numbers.length; i++) {
      Place place = place(type, i / width, i % width);
      put(packed, place, numbers[i]);
    }
    return packed;
  }

  /** Returns the numbers that elements contain, in order. */
  static long[] unpack(Datatype type, MemorySegment packed) {
    int width = width(type);
    long[] numbers = new long[Math.toIntExact(packed.byteSize() / type.size() * width)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = get(packed, place(type, i / width, i % width));
    }
    return numbers;
  }

  /** The byte offset and the type of a number in packed elements. */
  private record Place(long offset, Datatype type) {}

  private static Place place(Datatype type, long element, int number) {
    if (type instanceof Compound compound) {
      Compound.Member member =
          compound.members().stream()
              .sorted((x, y) -> x.name().compareTo(y.name()))
              .toList()
              .get(number);
      return new Place(element * type.size() + member.offset(), member.type());
    }
    return new Place(element * type.size(), type);
  }

  private static void put(MemorySegment packed, Place place, long number) {
    switch (place.type()) {
      case FixedPoint type -> {
        long mask = type.precision() == 64 ? -1 : (1L << type.precision()) - 1;
        long bits = (number & mask) << type.offset();
        for (int i = 0; i < type.size(); i++) {
          int at = type.order() == Endian.LITTLE ? i : type.size() - 1 - i;
          packed.set(ValueLayout.JAVA_BYTE, place.offset() + at, (byte) (bits >> 8 * i));
        }
      }
      case FloatingPoint type ->
          put(
              packed,
              new Place(place.offset(), Datatype.I64.withOrder(type.order())),
              Double.doubleToLongBits(number));
      default -> throw new IllegalArgumentException("not a numeric type: type=" + place.type());
    }
  }

  private static long get(MemorySegment packed, Place place) {
    return switch (place.type()) {
      case FixedPoint type -> {
        long bits = 0;
        for (int i = 0; i < type.size(); i++) {
          int at = type.order() == Endian.LITTLE ? i : type.size() - 1 - i;
          bits |= (packed.get(ValueLayout.JAVA_BYTE, place.offset() + at) & 0xffL) << 8 * i;
        }
        int above = 64 - type.precision();
        yield bits >>> type.offset() << above >> above;
      }
      case FloatingPoint type ->
          (long)
              Double.longBitsToDouble(
                  get(packed, new Place(place.offset(), Datatype.I64.withOrder(type.order()))));
      default -> throw new IllegalArgumentException("not a numeric type: type=" + place.type());
    };
  }
}
