package io.skerry.iod.encoding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EncodedDatatypeTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Compound PACKED =
      new Compound(
          14,
          List.of(
              new Compound.Member("a", 0, Datatype.I32),
              new Compound.Member("b", 4, Datatype.F64),
              new Compound.Member("longer_name", 12, Datatype.U16.withOrder(Endian.BIG))));

  static Datatype decode(byte[] bytes) {
    return EncodedDatatype.decode(MemorySegment.ofArray(bytes));
  }

  /** Checks both directions. */
  private static void golden(Datatype type, String hex) {
    assertEquals(hex, HEX.formatHex(EncodedDatatype.encode(type)));
    assertEquals(type, decode(HEX.parseHex(hex)));
  }

  @Test
  void types_have_the_bytes_of_hdf5_1_10() {
    golden(Datatype.I32, "0300100800000400000000002000");
    golden(Datatype.F64.withOrder(Endian.BIG), "030011213f000800000000004000340b0034ff030000");
    golden(new Opaque(7, "tag"), "030015080000070000007461670000000000");
    golden(new Reference(12, Reference.Kind.REGION), "0300170100000c000000");
    golden(new Reference(64, Reference.Kind.OBJECT_2), "03004712000040000000");
    golden(
        new Enumeration(
            Datatype.I8,
            List.of(new Enumeration.Member("FALSE", 0), new Enumeration.Member("TRUE", 1))),
        "0300180200000100000010080000010000000000080046414c534500000054525545000000000001");
    golden(
        new ArrayType(List.of(5), Datatype.I32),
        "03002a00000014000000010000000500000000000000100800000400000000002000");
  }

  @Test
  void variable_length_types_have_the_sizes_of_memory() {
    golden(
        VariableLength.string(CharacterSet.UTF8), "03001901010008000000100000000100000000000800");
    golden(VariableLength.sequence(Datatype.I32), "03001900000010000000100800000400000000002000");
  }

  @Test
  void members_move_with_the_sizes_of_the_members_before_them() {
    Compound inContainer =
        new Compound(
            40,
            List.of(
                new Compound.Member("in", 0, PACKED),
                new Compound.Member("ar", 14, new ArrayType(List.of(2, 3), Datatype.I8)),
                new Compound.Member("vs", 20, VariableLength.string(CharacterSet.ASCII))));
    golden(
        inContainer,
        "03002603000020000000696e00000000000000000000260300000e000000610000000000000000000000100800"
            + "00040000000000200062000000000000000400000011203f000800000000004000340b0034ff030000"
            + "6c6f6e6765725f6e616d6500000000000c00000010010000020000000000100061720000000000000e"
            + "0000002a0000000600000002000000020000000300000000000000010000001008000001000000000008"
            + "007673000000000000140000001901000008000000100000000100000000000800");
    Compound twoTexts =
        new Compound(
            36,
            List.of(
                new Compound.Member("last", 20, VariableLength.string(CharacterSet.ASCII)),
                new Compound.Member("first", 2, VariableLength.string(CharacterSet.ASCII))));
    Compound inMemory = (Compound) DescriptorSizes.IN_MEMORY.applied(twoTexts);
    assertEquals(List.of(12, 2), inMemory.members().stream().map(Compound.Member::offset).toList());
    assertEquals(20, inMemory.size());
    assertEquals(twoTexts, DescriptorSizes.IN_CONTAINER.applied(inMemory));
  }

  @Test
  void descriptors_of_any_size_become_those_of_a_container() {
    VariableLength small =
        new VariableLength(
            12,
            VariableLength.Kind.SEQUENCE,
            Datatype.I8,
            VariableLength.sequence(Datatype.I8).padding(),
            CharacterSet.ASCII);
    assertEquals(VariableLength.sequence(Datatype.I8), decode(EncodedDatatype.encode(small)));
  }

  @Test
  void random_types_are_decoded_as_they_were_encoded() {
    RandomDatatypes types = new RandomDatatypes(new Random(1));
    for (int i = 0; i < 5_000; i++) {
      Datatype type = types.next(3);
      byte[] bytes = EncodedDatatype.encode(type);
      assertEquals(type, decode(bytes));
      assertArrayEquals(bytes, EncodedDatatype.encode(decode(bytes)), type.toString());
    }
  }

  @Test
  void bytes_before_and_after_a_type_are_named() {
    FormatException after =
        assertThrows(
            FormatException.class, () -> decode(HEX.parseHex("030010080000040000000000200000")));
    assertTrue(after.getMessage().contains("bytes after the datatype"), after.getMessage());
    FormatException other =
        assertThrows(FormatException.class, () -> decode(HEX.parseHex("010010")));
    assertTrue(other.getMessage().contains("message type"), other.getMessage());
  }

  @Test
  void a_type_that_becomes_too_large_is_refused() {
    // 2^27 pointers to text have 2^30 bytes in memory, but 2^31 bytes in a container.
    String text = "1901000008000000100000000100000000000800";
    byte[] bytes = HEX.parseHex("03002a00000000000040010000000000000800000000" + text);
    FormatException e = assertThrows(FormatException.class, () -> decode(bytes));
    assertTrue(e.getMessage().contains("2^31-1"), e.getMessage());
  }

  @Test
  void damaged_types_give_a_result_or_a_named_error() {
    RandomDatatypes types = new RandomDatatypes(new Random(2));
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      samples.add(EncodedDatatype.encode(types.next(3)));
    }
    Mutations.check(
        3,
        samples,
        bytes -> {
          Datatype type = EncodedDatatype.decode(bytes);
          assertEquals(type, decode(EncodedDatatype.encode(type)));
        });
  }
}
