package io.skerry.datatype;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random pairs of types that can be converted into each other. */
public final class RandomTypes {
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f", "g");

  private final Random random;

  public RandomTypes(Random random) {
    this.random = random;
  }

  /** A source and a target type. */
  record Pair(Datatype from, Datatype to) {}

  Pair numbers() {
    return new Pair(number(), number());
  }

  Datatype number() {
    return random.nextBoolean() ? integer(16) : floating();
  }

  FixedPoint integer(int mostBytes) {
    int size = 1 << random.nextInt(4);
    if (random.nextInt(5) == 0) {
      size = 1 + random.nextInt(mostBytes);
    }
    Signedness signedness = random.nextBoolean() ? Signedness.SIGNED : Signedness.UNSIGNED;
    if (random.nextInt(5) > 0) {
      return FixedPoint.of(size, signedness, order());
    }
    int precision = 2 + random.nextInt(8 * size - 1);
    int offset = random.nextInt(8 * size - precision + 1);
    return new FixedPoint(size, order(), signedness, offset, precision, padding());
  }

  public FloatingPoint floating() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> Datatype.F32.withOrder(order());
      case 2, 3 -> Datatype.F64.withOrder(order());
      case 4 -> Datatype.F16.withOrder(order());
      case 5 -> FloatingPoint.ieee(2, 7, 8, order());
      case 6 -> FloatingPoint.ieee(16, 112, 15, order());
      default -> EXTENDED;
    };
  }

  /** The extended-precision format of x86: 80 bits in 16 bytes. */
  public static final FloatingPoint EXTENDED =
      new FloatingPoint(
          16,
          Endian.LITTLE,
          BitPadding.ZEROS,
          FloatingPoint.Normalization.NONE,
          79,
          0,
          80,
          64,
          15,
          0,
          64,
          16383);

  private Endian order() {
    return random.nextBoolean() ? Endian.LITTLE : Endian.BIG;
  }

  private BitPadding padding() {
    return padding(random);
  }

  /** Returns padding with zeros or ones below and above a value. */
  public static BitPadding padding(Random random) {
    BitPadding.Bit[] all = BitPadding.Bit.values();
    int bits = random.nextInt(4);
    return new BitPadding(all[bits & 1], all[bits >> 1], BitPadding.Bit.ZERO);
  }

  Pair texts() {
    CharacterSet set = random.nextBoolean() ? CharacterSet.ASCII : CharacterSet.UTF8;
    return new Pair(text(set), text(set));
  }

  private StringType text(CharacterSet set) {
    StringPadding[] all = StringPadding.values();
    return new StringType(1 + random.nextInt(9), all[random.nextInt(all.length)], set);
  }

  Pair bits() {
    return new Pair(bitField(), bitField());
  }

  private BitField bitField() {
    FixedPoint bits = integer(12);
    return new BitField(bits.size(), bits.order(), bits.offset(), bits.precision(), bits.padding());
  }

  /** Returns two enumerations; the second one has all names of the first. */
  Pair enumerations() {
    List<String> names = shuffled(NAMES);
    return new Pair(
        enumeration(names.subList(0, 1 + random.nextInt(4))),
        enumeration(shuffled(names.subList(0, 4 + random.nextInt(3)))));
  }

  private Enumeration enumeration(List<String> names) {
    FixedPoint base =
        FixedPoint.of(
            1 << random.nextInt(4),
            random.nextBoolean() ? Signedness.SIGNED : Signedness.UNSIGNED,
            order());
    List<Enumeration.Member> members = new ArrayList<>();
    int value = random.nextInt(20);
    for (String name : names) {
      value += 1 + random.nextInt(random.nextBoolean() ? 2 : 13);
      members.add(new Enumeration.Member(name, value));
    }
    Collections.shuffle(members, random);
    return new Enumeration(base, members);
  }

  /**
   * Returns complex types whose parts are native formats; for other parts, the results of the
   * library are undefined.
   */
  Pair complexes() {
    return switch (random.nextInt(3)) {
      case 0 -> new Pair(new ComplexType(ofTheMachine()), new ComplexType(ofTheMachine()));
      case 1 -> new Pair(new ComplexType(ofTheMachine()), realOfTheMachine());
      default -> new Pair(realOfTheMachine(), new ComplexType(ofTheMachine()));
    };
  }

  private FloatingPoint ofTheMachine() {
    return List.of(Datatype.F32, Datatype.F64, EXTENDED).get(random.nextInt(3));
  }

  private Datatype realOfTheMachine() {
    Signedness signedness = random.nextBoolean() ? Signedness.SIGNED : Signedness.UNSIGNED;
    return random.nextBoolean()
        ? ofTheMachine()
        : FixedPoint.of(1 << random.nextInt(4), signedness, Endian.LITTLE);
  }

  /** Returns any of the types above, or arrays and compounds of them. */
  Pair any(int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 6)) {
      case 0, 1 -> numbers();
      case 2 -> texts();
      case 3 -> enumerations();
      case 4 -> bits();
      case 5 -> {
        Opaque opaque = new Opaque(1 + random.nextInt(6), "tag");
        yield new Pair(opaque, opaque);
      }
      case 6 -> {
        Pair each = any(depth - 1);
        List<Integer> dimensions = List.of(1 + random.nextInt(3), 1 + random.nextInt(2));
        yield new Pair(new ArrayType(dimensions, each.from), new ArrayType(dimensions, each.to));
      }
      default -> compounds(depth);
    };
  }

  /** Returns compounds with some names in common. */
  Pair compounds(int depth) {
    List<Field> from = new ArrayList<>();
    List<Field> to = new ArrayList<>();
    for (String name : NAMES.subList(0, 2 + random.nextInt(5))) {
      Pair each = any(depth - 1);
      int where = random.nextInt(6);
      if (where != 0) {
        from.add(new Field(name, each.from));
      }
      if (where != 1) {
        to.add(new Field(name, each.to));
      }
    }
    return new Pair(compound(from), compound(to));
  }

  private record Field(String name, Datatype type) {}

  private Compound compound(List<Field> fields) {
    List<Field> order = shuffled(fields.isEmpty() ? List.of(new Field("z", Datatype.U8)) : fields);
    List<Compound.Member> members = new ArrayList<>();
    int at = 0;
    boolean gaps = random.nextInt(3) == 0;
    for (Field field : order) {
      at += gaps ? random.nextInt(4) : 0;
      members.add(new Compound.Member(field.name, at, field.type));
      at += field.type.size();
    }
    return new Compound(at + (gaps ? random.nextInt(4) : 0), members);
  }

  private <T> List<T> shuffled(List<T> all) {
    List<T> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }
}
