package io.skerry.filter;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitPadding;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Signedness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A chunk that another program filtered, read from one line of a resource. */
public record GoldenChunk(
    String name,
    FilterSpec spec,
    Datatype type,
    long[] shape,
    Optional<MemorySegment> fill,
    int length,
    String sha256,
    byte[] stored,
    Optional<byte[]> original) {

  public static List<GoldenChunk> all(String resource) {
    try (var in = Objects.requireNonNull(GoldenChunk.class.getResourceAsStream(resource))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.startsWith("#")).map(GoldenChunk::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GoldenChunk parse(String line) {
    String[] field = line.split("\t", -1);
    int[] data =
        field[2].isEmpty()
            ? new int[0]
            : Arrays.stream(field[2].split(",")).mapToInt(Integer::parseUnsignedInt).toArray();
    Datatype type = type(field[3]);
    long[] shape = Arrays.stream(field[4].split(",")).mapToLong(Long::parseLong).toArray();
    byte[] fill =
        field[5].equals("zero") ? new byte[type.size()] : HexFormat.of().parseHex(field[5]);
    return new GoldenChunk(
        field[0],
        FilterSpec.of(Integer.parseInt(field[1]), FilterSpec.Flag.OPTIONAL, data),
        type,
        shape,
        Optional.of(MemorySegment.ofArray(fill)),
        Integer.parseInt(field[6]),
        field[7],
        HexFormat.of().parseHex(field[8]),
        field.length < 10 || field[9].isEmpty()
            ? Optional.empty()
            : Optional.of(HexFormat.of().parseHex(field[9])));
  }

  /** Returns the target to which the filter is bound. */
  public FilterTarget target() {
    return FilterTarget.chunk(type, shape, fill);
  }

  /** Returns the specification as a user creates it, before it is bound. */
  public FilterSpec unbound() {
    int[] data = spec.clientData();
    return switch (spec.id()) {
      case Filters.NBIT, Filters.LZF -> spec.withClientData();
      case Filters.SCALE_OFFSET -> spec.withClientData(data[0], data[1]);
      case Filters.SZIP -> spec.withClientData(data[0] & ~(8 | 16), data[1]);
      case Filters.BITSHUFFLE -> {
        data[2] = 0;
        yield spec.withClientData(data);
      }
      case Filters.BLOSC -> {
        data[2] = 0;
        data[3] = 0;
        yield spec.withClientData(data);
      }
      default -> spec;
    };
  }

  private static Datatype type(String name) {
    if (name.startsWith("array[2,3]")) {
      return new ArrayType(List.of(2, 3), type(name.substring(10)));
    }
    if (name.startsWith("float20")) {
      return new FloatingPoint(
          5,
          name.endsWith("BE") ? Endian.BIG : Endian.LITTLE,
          BitPadding.ZEROS,
          FloatingPoint.Normalization.MSB_IMPLIED,
          26,
          7,
          20,
          20,
          6,
          7,
          13,
          31);
    }
    if (name.equals("compound")) {
      return compound();
    }
    String[] part = name.split("/");
    String base = part[0];
    Endian order = base.endsWith("BE") ? Endian.BIG : Endian.LITTLE;
    int size = Integer.parseInt(base.substring(1, base.length() - 2)) / 8;
    if (base.startsWith("f")) {
      return (size == 4 ? Datatype.F32 : Datatype.F64).withOrder(order);
    }
    int precision = part.length > 1 ? Integer.parseInt(part[1]) : 8 * size;
    int offset = part.length > 2 ? Integer.parseInt(part[2]) : 0;
    Signedness sign = base.startsWith("i") ? Signedness.SIGNED : Signedness.UNSIGNED;
    return new FixedPoint(size, order, sign, offset, precision);
  }

  private static Datatype compound() {
    Datatype t17 = type("i32LE/17/4");
    Datatype t9 = type("u16BE/9/3");
    Compound inner =
        new Compound(
            6,
            List.of(new Compound.Member("x", 1, t17), new Compound.Member("y", 5, type("u8LE"))));
    return new Compound(
        32,
        List.of(
            new Compound.Member("a", 2, t17),
            new Compound.Member("b", 6, t9),
            new Compound.Member("c", 9, new ArrayType(List.of(2), t9)),
            new Compound.Member("d", 14, new Opaque(5, "")),
            new Compound.Member("e", 20, inner)));
  }

  @Override
  public String toString() {
    return name;
  }
}
