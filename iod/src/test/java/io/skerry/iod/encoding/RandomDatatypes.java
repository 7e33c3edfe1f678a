package io.skerry.iod.encoding;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.BitPadding;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random datatypes with descriptors of 16 bytes, as in a container. */
public final class RandomDatatypes {
  private final Random random;

  public RandomDatatypes(Random random) {
    this.random = random;
  }

  public Datatype next(int depth) {
    return switch (random.nextInt(depth > 0 ? 13 : 8)) {
      case 0 -> integer();
      case 1 -> one(List.of(Datatype.F16, Datatype.F32, Datatype.F64)).withOrder(order());
      case 2 ->
          new StringType(
              1 + random.nextInt(300),
              one(List.of(StringPadding.values())),
              one(List.of(CharacterSet.values())));
      case 3 -> new Opaque(1 + random.nextInt(9), one(List.of("", "tag", "eight888", "täg")));
      case 4 -> {
        FixedPoint bits = integer();
        yield new BitField(bits.size(), bits.order(), 0, bits.precision(), BitPadding.ZEROS);
      }
      case 5 -> new Time(4 << random.nextInt(2), order(), 32);
      case 6 ->
          random.nextBoolean()
              ? new Reference(8, Reference.Kind.OBJECT)
              : new Reference(12, Reference.Kind.REGION);
      case 7 -> VariableLength.string(one(List.of(CharacterSet.values())));
      case 8 -> enumeration();
      case 9 -> VariableLength.sequence(next(depth - 1));
      case 10 ->
          new ArrayType(List.of(1 + random.nextInt(3), 1 + random.nextInt(4)), next(depth - 1));
      default -> compound(depth);
    };
  }

  private FixedPoint integer() {
    int size = 1 << random.nextInt(4);
    Signedness signedness = one(List.of(Signedness.values()));
    if (random.nextInt(3) > 0) {
      return FixedPoint.of(size, signedness, order());
    }
    int precision = 2 + random.nextInt(8 * size - 1);
    int offset = random.nextInt(8 * size - precision + 1);
    return new FixedPoint(size, order(), signedness, offset, precision, BitPadding.ZEROS);
  }

  private Enumeration enumeration() {
    List<Enumeration.Member> members = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(5); i++) {
      members.add(new Enumeration.Member("name" + i, 20 * i + random.nextInt(20)));
    }
    return new Enumeration(
        FixedPoint.of(1 << random.nextInt(4), Signedness.SIGNED, order()), members);
  }

  private Compound compound(int depth) {
    List<Compound.Member> members = new ArrayList<>();
    int at = 0;
    for (int i = 0; i <= random.nextInt(5); i++) {
      at += random.nextInt(3);
      Datatype type = next(depth - 1);
      members.add(new Compound.Member("m" + "x".repeat(random.nextInt(9)) + i, at, type));
      at += type.size();
    }
    return new Compound(at + random.nextInt(3), members);
  }

  private Endian order() {
    return random.nextBoolean() ? Endian.LITTLE : Endian.BIG;
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
