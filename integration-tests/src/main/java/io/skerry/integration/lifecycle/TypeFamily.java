package io.skerry.integration.lifecycle;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.integration.random.FileForm;
import io.skerry.integration.random.RandomChoice;
import io.skerry.integration.random.TypeGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** A family of datatypes that are stored in the same way. */
public enum TypeFamily {
  /** Integers of all widths and byte orders, some with padding bits. */
  INTEGERS((draw, types) -> draw.chance(0.85) ? types.integer() : types.narrow()),
  /** IEEE floating-point numbers of three sizes and both byte orders. */
  FLOATS((draw, _) ->
      draw.pick(List.of(Datatype.F16, Datatype.F32, Datatype.F64)).withOrder(order(draw))),
  /** Enumerations, some of them booleans. */
  ENUMERATIONS((draw, types) -> draw.chance(0.7) ? types.enumeration() : TypeGenerator.truth()),
  /** Bit fields and opaque bytes. */
  BITS((draw, _) ->
      draw.chance(0.5)
          ? BitField.of(draw.pick(List.of(1, 2, 4, 8)), order(draw))
          : new Opaque(draw.between(1, 20), draw.chance(0.5) ? "" : "tag of it")),
  /** Strings of fixed size with every kind of padding. */
  STRINGS((_, types) -> types.string()),
  /** Compounds, some of them nested, with arrays or with gaps. */
  COMPOUNDS((_, types) -> fixed(types, Compound.class)),
  /** Arrays, including arrays of compounds. */
  ARRAYS((_, types) -> fixed(types, ArrayType.class)),
  /** References to objects and regions, some in compounds. */
  REFERENCES((draw, _) -> draw.chance(0.7) ? reference(draw) : pair(Datatype.I16, reference(draw))),
  /** Strings of variable length. */
  TEXTS((_, types) -> types.text()),
  /** Sequences of numbers, strings, sequences, compounds and references. */
  SEQUENCES(TypeFamily::sequence),
  /** Compounds and arrays with variable-length parts and references. */
  VARIABLE_PARTS(TypeFamily::parts);

  /** The largest size of an element in bytes, which keeps files small. */
  private static final int LARGEST = 120;

  private final BiFunction<RandomChoice, TypeGenerator, Datatype> types;

  TypeFamily(BiFunction<RandomChoice, TypeGenerator, Datatype> types) {
    this.types = types;
  }

  Datatype datatype(RandomChoice draw) {
    TypeGenerator drawing = new TypeGenerator(draw, FileForm.standard());
    return first(() -> types.apply(draw, drawing), Datatype.class);
  }

  private static <T extends Datatype> T first(Supplier<Datatype> draw, Class<T> kind) {
    while (true) {
      Datatype type = draw.get();
      if (kind.isInstance(type) && type.size() <= LARGEST) {
        return kind.cast(type);
      }
    }
  }

  private static <T extends Datatype> T fixed(TypeGenerator types, Class<T> kind) {
    return first(
        () -> {
          Datatype type = types.nested(0);
          return ValueParts.hasVariable(type) ? Datatype.U8 : type;
        },
        kind);
  }

  private static Endian order(RandomChoice draw) {
    return draw.chance(0.5) ? Endian.LITTLE : Endian.BIG;
  }

  private static Reference reference(RandomChoice draw) {
    return draw.chance(0.6)
        ? new Reference(8, Reference.Kind.OBJECT)
        : new Reference(12, Reference.Kind.REGION);
  }

  private static Compound pair(Datatype one, Datatype other) {
    return new Compound(
        one.size() + other.size(),
        List.of(
            new Compound.Member("one", 0, one), new Compound.Member("other", one.size(), other)));
  }

  private static Datatype sequence(RandomChoice draw, TypeGenerator types) {
    return VariableLength.sequence(
        switch (draw.below(7)) {
          case 0 -> types.text();
          case 1 -> VariableLength.sequence(types.integer());
          case 2 -> VariableLength.sequence(types.text());
          case 3 -> pair(types.text(), types.plain());
          case 4 -> reference(draw);
          default -> types.plain();
        });
  }

  private static Datatype parts(RandomChoice draw, TypeGenerator types) {
    List<Compound.Member> members = new ArrayList<>();
    int at = 0;
    int count = draw.between(1, 4);
    int variable = draw.below(count);
    for (int i = 0; i < count; i++) {
      Datatype type = i == variable ? part(draw, types) : member(draw, types);
      at += draw.chance(0.2) ? draw.below(5) : 0;
      members.add(new Compound.Member("m" + i, at, type));
      at += type.size();
    }
    Compound compound = new Compound(at + (draw.chance(0.2) ? draw.below(4) : 0), members);
    return draw.chance(0.25) ? new ArrayType(List.of(draw.between(1, 3)), compound) : compound;
  }

  private static Datatype part(RandomChoice draw, TypeGenerator types) {
    Datatype one = draw.chance(0.5) ? types.text() : sequence(draw, types);
    return draw.chance(0.3) ? new ArrayType(List.of(draw.between(1, 3)), one) : one;
  }

  private static Datatype member(RandomChoice draw, TypeGenerator types) {
    return switch (draw.below(5)) {
      case 0 -> part(draw, types);
      case 1 -> reference(draw);
      default -> types.plain();
    };
  }
}
