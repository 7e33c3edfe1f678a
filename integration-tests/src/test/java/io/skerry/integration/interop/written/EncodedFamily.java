package io.skerry.integration.interop.written;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * An element type, its description for {@code structured_encoder.py}, and random values in the
 * notations of Skerry and of the encoder.
 */
enum EncodedFamily {
  WORDS(Datatype.U16, "{'kind': 'fixed', 'size': 2}", random -> whole(random.nextInt(1 << 16), 2)),
  OPAQUE(
      new Opaque(5, "five"),
      "{'kind': 'fixed', 'size': 5}",
      random -> {
        byte[] bytes = new byte[5];
        random.nextBytes(bytes);
        return new Drawn(
            new Value.Opaque(Bytes.of(MemorySegment.ofArray(bytes)), "five"), hex(bytes));
      }),
  TEXTS(
      VariableLength.string(CharacterSet.UTF8),
      "{'kind': 'text'}",
      random -> {
        byte[] bytes = "abcdefghijklmnopqrstuvwxyz".repeat(3).getBytes(StandardCharsets.UTF_8);
        byte[] text = Arrays.copyOf(bytes, random.nextInt(4) * random.nextInt(20));
        return new Drawn(new Value.Text(new String(text, StandardCharsets.UTF_8)), hex(text));
      }),
  SEQUENCES(
      VariableLength.sequence(Datatype.I32),
      "{'kind': 'sequence', 'base': {'kind': 'fixed', 'size': 4}}",
      random -> sequence(random, () -> whole(random.nextInt(100), 4))),
  /** The outer sequences contain descriptors of strings. */
  LISTS_OF_TEXTS(
      VariableLength.sequence(TEXTS.type),
      "{'kind': 'sequence', 'base': " + TEXTS.json + "}",
      random -> sequence(random, () -> TEXTS.draw(random))),
  /** Compounds with a gap, an array of strings, and a number at the end. */
  COMPOUNDS(
      new Compound(
          44,
          List.of(
              new Compound.Member("n", 0, Datatype.U16),
              new Compound.Member("pair", 4, new ArrayType(List.of(2), TEXTS.type)),
              new Compound.Member("last", 40, Datatype.U32))),
      "{'kind': 'compound', 'size': 44, 'members': [[0, "
          + WORDS.json
          + "], [4, {'kind': 'array', 'count': 2, 'base': "
          + TEXTS.json
          + "}], [40, {'kind': 'fixed', 'size': 4}]]}",
      random -> {
        Drawn first = whole(random.nextInt(1 << 16), 2);
        Drawn left = TEXTS.draw(random);
        Drawn right = TEXTS.draw(random);
        Drawn last = whole(random.nextInt(1 << 20), 4);
        Value pair = new Value.Array(List.of(2), List.of(left.value, right.value));
        return new Drawn(
            new Value.Compound(
                List.of(
                    new Value.Field("n", first.value),
                    new Value.Field("pair", pair),
                    new Value.Field("last", last.value))),
            "[%s, [%s, %s], %s]".formatted(first.json, left.json, right.json, last.json));
      });

  /** A value for Skerry, and the same value as JSON for the encoder. */
  record Drawn(Value value, String json) {}

  private final Datatype type;
  private final String json;
  private final Function<Random, Drawn> draw;

  EncodedFamily(Datatype type, String json, Function<Random, Drawn> draw) {
    this.type = type;
    this.json = json.replace('\'', '"');
    this.draw = draw;
  }

  Datatype type() {
    return type;
  }

  /** Returns the description of the type for the encoder. */
  String json() {
    return json;
  }

  Drawn draw(Random random) {
    return draw.apply(random);
  }

  private static Drawn whole(int number, int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (number >> 8 * i);
    }
    return new Drawn(new Value.Whole(BigInteger.valueOf(number)), hex(bytes));
  }

  private static String hex(byte[] bytes) {
    return '"' + HexFormat.of().formatHex(bytes) + '"';
  }

  private static Drawn sequence(Random random, Supplier<Drawn> element) {
    List<Drawn> drawn = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      drawn.add(element.get());
    }
    return new Drawn(
        new Value.Sequence(drawn.stream().map(Drawn::value).toList()),
        drawn.stream().map(Drawn::json).collect(Collectors.joining(", ", "[", "]")));
  }
}
