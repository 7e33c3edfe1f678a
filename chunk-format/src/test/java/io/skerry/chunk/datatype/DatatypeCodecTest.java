package io.skerry.chunk.datatype;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.PythonOracle;
import io.skerry.chunk.SharedData;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.RandomTypes;
import io.skerry.datatype.Reference;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DatatypeCodecTest {
  private static final HexFormat HEX = HexFormat.of();

  /** Message bodies of HDF5 1.10.8, with the short name of each. */
  private static final Map<String, String> GOLDEN =
      Map.ofEntries(
          Map.entry("100800000100000000000800", "i8"),
          Map.entry("100000000200000000001000", "u16"),
          Map.entry("100900000400000000002000", "i32be"),
          Map.entry("100100000800000000004000", "u64be"),
          Map.entry("1008000004000000 03000c00".replace(" ", ""), "i32(offset=3,precision=12)"),
          Map.entry("11201f000400000000002000170800177f000000", "f32"),
          Map.entry("11211f000400000000002000170800177f000000", "f32be"),
          Map.entry("11203f000800000000004000340b0034ff030000", "f64"),
          Map.entry("11200f0002000000000010000a05000a0f000000", "f16"),
          Map.entry("11200f000200000000001000070800077f000000", "f16(e8m7)"),
          Map.entry("11004f001000000000005000400f0040ff3f0000", "f128(e15m64)"),
          Map.entry("120000000400 00002000".replace(" ", ""), "time32"),
          Map.entry("1312000010000000", "string[16]"),
          Map.entry("140100000400000000002000", "bits32be"),
          Map.entry("15080000100000006569676874383838", "opaque[16](eight888)"),
          Map.entry("1500000010000000", "opaque[16]"),
          Map.entry("1700000008000000", "ref:object"),
          Map.entry("170100000c000000", "ref:region"),
          Map.entry("4712000040000000", "ref:object"),
          Map.entry(
              "1802000001000000100800000100000000000800" + "46414c534500000054525545000000000001",
              "enum:i8{FALSE=0, TRUE=1}"),
          Map.entry("1901010008000000100000000100000000000800", "vlstring"),
          Map.entry("19000000100000001900000010000000100800000200000000001000", "vlen{vlen{i16}}"),
          Map.entry(
              "2a000000140000000100000005000000000000001008000004000000 00002000".replace(" ", ""),
              "array[5]{i32}"));

  @Test
  void golden_messages_have_their_short_names_and_round_trip() {
    GOLDEN.forEach((hex, name) -> {
      Datatype type = decode(HEX.parseHex(hex));
      assertEquals(name, type.toString());
      assertEquals(hex, HEX.formatHex(encode(type)));
    });
  }

  @Test
  void constants_are_the_types_that_the_library_calls_standard() {
    assertEquals(Datatype.U16, decode(HEX.parseHex("100000000200000000001000")));
    assertEquals(Datatype.F32, decode(HEX.parseHex("11201f000400000000002000170800177f000000")));
    assertEquals(Datatype.F16, decode(HEX.parseHex("11200f0002000000000010000a05000a0f000000")));
    List<Datatype> all =
        List.of(
            Datatype.U8,
            Datatype.U16,
            Datatype.U32,
            Datatype.U64,
            Datatype.I8,
            Datatype.I16,
            Datatype.I32,
            Datatype.I64,
            Datatype.F16,
            Datatype.F32,
            Datatype.F64);
    assertEquals("[u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64]", all.toString());
  }

  @Test
  void every_shared_sample_round_trips_byte_for_byte() throws Exception {
    for (String file : List.of("hdf5-1.10.8.tsv", "hdf5-1.14.3.tsv")) {
      Path path = SharedData.require("data/encodings").resolve(file);
      int samples = 0;
      for (String line : Files.readAllLines(path)) {
        String[] fields = line.split("\t", -1);
        if (!fields[0].equals("type")) {
          continue;
        }
        byte[] message = HEX.parseHex(fields[3].substring(4));
        Datatype type = decode(message);
        assertEquals(fields[3].substring(4), HEX.formatHex(encode(type)), fields[1] + " " + type);
        samples++;
      }
      System.out.println(file + ": " + samples + " datatypes round-trip byte for byte");
      assertTrue(samples >= 50, file);
    }
  }

  @Test
  void versions_of_nested_types_are_those_the_library_writes() throws Exception {
    String script =
        """
        from h5py import h5t
        ar = h5t.array_create(h5t.STD_I8LE, (2, 3))
        v = h5t.vlen_create(ar)
        e = h5t.enum_create(h5t.STD_I16BE); e.enum_insert(b'A', -2)
        c = h5t.create(h5t.COMPOUND, 40); c.insert(b'e', 0, e); c.insert(b'a', 8, ar)
        p = h5t.create(h5t.COMPOUND, 40); p.insert(b'e', 0, e)
        q = h5t.create(h5t.COMPOUND, 400)
        q.insert(b'v', 0, h5t.vlen_create(h5t.STD_I8LE)); q.insert(b'w', 100, v)
        q.insert(b'in', 200, p)
        r = h5t.create(h5t.COMPOUND, 400)
        r.insert(b'v', 0, h5t.vlen_create(p)); r.insert(b'a', 100, h5t.array_create(p, (2,)))
        for t in (v, c, h5t.array_create(c, (2,)), h5t.array_create(p, (2,)), q, r,
                  h5t.vlen_create(q), h5t.vlen_create(p)):
            print(t.encode().hex())
        """;
    List<String> lines = PythonOracle.run(script);
    assertEquals(8, lines.size());
    for (String line : lines) {
      String message = line.substring(4);
      Datatype type = decode(HEX.parseHex(message));
      assertEquals(message, HEX.formatHex(encode(type)), type.toString());
    }
  }

  @Test
  void version_3_members_have_narrow_offsets_and_unpadded_names() {
    byte[] message =
        HEX.parseHex(
            "3602000014000000" // compound of 20 bytes, two members
                + "6100" // "a"
                + "00" // offset 0 in one byte
                + "300000000100000000000800"
                + "626300" // "bc"
                + "04"
                + "3a00000006000000" // array
                + "02"
                + "0200000003000000"
                + "300800000100000000000800");
    Datatype type = decode(message);
    assertEquals("compound[20]{a@0:u8, bc@4:array[2,3]{i8}}", type.toString());
  }

  /** Reads a datatype committed by HDF5 2.0.0 with the low bounds 1.8, 1.12 and latest. */
  @Test
  void versions_3_to_5_of_the_library_are_read() {
    String version3 =
        "3604000036010000610000001008000004000000000020006c6f6e6765720008003a0000003000000002"
            + "020000000300000011213f000800000000004000340b0034ff030000"
            + "65003800380200000200000010000000020000000000100058005959000100020073002c01"
            + "1301000005000000";
    for (String version : List.of("3", "4", "5")) {
      String message =
          version3
              .replace("36040000", version + "6040000")
              .replace("3a000000", version + "a000000")
              .replace("38020000", version + "8020000");
      assertEquals(
          "compound[310]{a@0:i32, longer@8:array[2,3]{f64be}, e@56:enum:u16{X=1, YY=2},"
              + " s@300:string[5]}",
          decode(HEX.parseHex(message)).toString());
    }
  }

  @Test
  void arrays_under_version_1_have_the_form_of_version_2() {
    String i32 = "1008000004000000" + "00002000";
    String fields = "02000000" + "02000000" + "03000000" + "00000000" + "00000000";
    assertEquals(
        "array[2,3]{i32}", decode(HEX.parseHex("1a00000018000000" + fields + i32)).toString());
  }

  @Test
  void version_1_member_dimensions_become_an_array() {
    byte[] message =
        HEX.parseHex(
            "1601000018000000"
                + "6100000000000000"
                + "00000000"
                + "02000000"
                + "00000000"
                + "00000000"
                + "02000000"
                + "03000000"
                + "00000000"
                + "00000000"
                + "100800000400000000002000");
    assertEquals("compound[24]{a@0:array[2,3]{i32}}", decode(message).toString());
  }

  @Test
  void enumerations_are_searched_by_name_and_by_value() {
    Enumeration type =
        new Enumeration(
            Datatype.I16.withOrder(Endian.BIG),
            List.of(new Enumeration.Member("low", -2), new Enumeration.Member("high", 300)));
    assertEquals(OptionalLong.of(300), type.valueOf("high"));
    assertEquals(Optional.of("low"), type.nameOf(-2));
    assertEquals(Optional.empty(), type.nameOf(7));
    assertEquals(type, decode(encode(type)));
    assertTrue(HEX.formatHex(encode(type)).endsWith("fffe012c"));
  }

  @Test
  void random_types_round_trip() {
    Random random = new Random(20261121);
    for (int i = 0; i < 2000; i++) {
      Datatype type = randomType(random, 0);
      byte[] bytes = encode(type);
      ByteReader reader = ByteReader.of(MemorySegment.ofArray(bytes), "datatype");
      assertEquals(type, DatatypeCodec.decode(reader));
      assertEquals(0, reader.remaining(), type.toString());
    }
  }

  @Test
  void overlapping_members_of_a_compound_are_refused() {
    Compound type =
        new Compound(
            12,
            List.of(
                new Compound.Member("late", 8, Datatype.I32),
                new Compound.Member("early", 0, Datatype.I64)));
    byte[] bytes = encode(type);
    int offset = HEX.formatHex(bytes).indexOf(HEX.formatHex("late\0".getBytes(UTF_8))) / 2 + 5;
    while (bytes[offset] != 8) {
      offset++;
    }
    bytes[offset] = 7;
    FormatException e = assertThrows(FormatException.class, () -> decode(bytes));
    assertTrue(e.getMessage().contains("members of a compound overlap"), e.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new Compound(
                8,
                List.of(
                    new Compound.Member("a", 0, Datatype.I64),
                    new Compound.Member("b", 0, Datatype.I8))));
  }

  @Test
  void damaged_messages_are_refused() {
    Random random = new Random(7);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = encode(randomType(random, 0));
      for (int j = 0; j <= random.nextInt(3); j++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        Datatype type = decode(bytes);
        assertTrue(type.size() > 0);
      } catch (FormatException | UnsupportedFeatureException e) {
        refused++;
      }
    }
    assertTrue(refused > 2000, "refused=" + refused);
  }

  @Test
  void a_truncated_message_is_refused_at_every_length() {
    byte[] bytes = encode(randomCompound(new Random(3), 0));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(bytes, length);
      assertThrows(FormatException.class, () -> decode(cut));
    }
  }

  @Test
  void deep_nesting_is_refused_in_both_directions() {
    byte[] message = HEX.parseHex("1900000010000000".repeat(200));
    FormatException e = assertThrows(FormatException.class, () -> decode(message));
    assertTrue(e.getMessage().contains("nested too deeply"), e.getMessage());
    Datatype type = Datatype.I8;
    for (int i = 0; i < 40; i++) {
      type = VariableLength.sequence(type);
    }
    Datatype deep = type;
    assertThrows(IllegalArgumentException.class, () -> encode(deep));
  }

  @Test
  void a_complex_type_of_the_library_is_read_and_written_alike() {
    byte[] library = HEX.parseHex("5b0100000800000011201f000400000000002000170800177f000000");
    assertEquals(new ComplexType(Datatype.F32), decode(library));
    library[0] = 0x1b; // version 1, written before the library released the class
    assertEquals(new ComplexType(Datatype.F32), decode(library));
    library[0] = 0x5b;
    assertEquals(HEX.formatHex(library), HEX.formatHex(encode(new ComplexType(Datatype.F32))));
    FormatException e =
        assertThrows(
            FormatException.class,
            () -> decode(HEX.parseHex("5b010000080000001000000004000000000020000000")));
    assertTrue(e.getMessage().contains("base of a complex type"), e.getMessage());
  }

  @Test
  void unknown_classes_are_named() {
    UnsupportedFeatureException e =
        assertThrows(
            UnsupportedFeatureException.class, () -> decode(HEX.parseHex("5c00000010000000")));
    assertTrue(e.getMessage().contains("datatype class 12"), e.getMessage());
  }

  @Test
  void impossible_fields_are_refused_by_the_constructors() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new FixedPoint(2, Endian.LITTLE, Signedness.SIGNED, 4, 13));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Compound(4, List.of(new Compound.Member("a", 1, Datatype.I32))));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ArrayType(List.of(1 << 20, 1 << 20), Datatype.I32));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Enumeration(Datatype.U8, List.of(new Enumeration.Member("a", 256))));
    assertInstanceOf(ArrayType.class, new ArrayType(List.of(2), Datatype.I32));
  }

  private static Datatype randomType(Random random, int depth) {
    Endian order = random.nextBoolean() ? Endian.LITTLE : Endian.BIG;
    int size = 1 + random.nextInt(8);
    int offset = random.nextInt(4);
    int precision = 1 + random.nextInt(8 * size - offset);
    return switch (random.nextInt(depth > 3 ? 7 : 11)) {
      case 0 ->
          new FixedPoint(
              size,
              order,
              Signedness.values()[random.nextInt(2)],
              offset,
              precision,
              RandomTypes.padding(random));
      case 1 -> (random.nextBoolean() ? Datatype.F32 : Datatype.F64).withOrder(order);
      case 2 -> new Time(4, order, 32);
      case 3 ->
          new StringType(1 + random.nextInt(300), StringPadding.SPACE_PADDED, CharacterSet.UTF8);
      case 4 -> new BitField(size, order, offset, precision, RandomTypes.padding(random));
      case 5 -> new Opaque(size, "t".repeat(random.nextInt(20)));
      case 6 -> {
        Reference.Kind kind = Reference.Kind.values()[random.nextInt(5)];
        yield new Reference(kind.isNewStyle() ? 64 : 8, kind);
      }
      case 7 -> VariableLength.sequence(randomType(random, depth + 1));
      case 8 -> new ArrayType(List.of(1 + random.nextInt(4), 2), randomType(random, depth + 1));
      case 9 ->
          new Enumeration(
              Datatype.I16.withOrder(order),
              List.of(
                  new Enumeration.Member("n".repeat(1 + random.nextInt(9)), random.nextInt(99)),
                  new Enumeration.Member("ü", -1 - random.nextInt(99))));
      default -> randomCompound(random, depth);
    };
  }

  private static Compound randomCompound(Random random, int depth) {
    List<Compound.Member> members = new ArrayList<>();
    int at = 0;
    for (int i = 0; i <= random.nextInt(4); i++) {
      Datatype type = randomType(random, depth + 1);
      at += random.nextInt(3);
      members.add(new Compound.Member("m".repeat(random.nextInt(9)) + i, at, type));
      at += type.size();
    }
    return new Compound(at + random.nextInt(400), members);
  }

  private static Datatype decode(byte[] bytes) {
    return DatatypeCodec.decode(ByteReader.of(MemorySegment.ofArray(bytes), "datatype"));
  }

  private static byte[] encode(Datatype type) {
    ByteWriter out = ByteWriter.create();
    DatatypeCodec.encode(type, out);
    return out.toArray();
  }
}
