package io.skerry.format.superblock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.file.DriverInfoReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DriverInfoTest {
  private static final String NAMES = "25732d6d2e683500" + "25732d722e683500";

  /** Written by HDF5 1.6 for a split file: raw data in one member, metadata in the other. */
  private static final String SPLIT =
      "00000000380000004e4353416d756c74"
          + "0101030101010000"
          + "00000000000000000008000000000000"
          + "ffffffffffffff7f0008000000000000"
          + NAMES;

  private static DriverInfo block(String hex) {
    return DriverInfo.decodeBlock(
        ByteReader.of(MemorySegment.ofArray(HexFormat.of().parseHex(hex)), "block"));
  }

  private static FormatException refused(String hex) {
    return assertThrows(FormatException.class, () -> block(hex));
  }

  @Test
  void a_family_has_a_member_size() {
    assertEquals(
        new DriverInfo.Family(1024),
        block("00000000080000004e435341" + "66616d690004000000000000"));
  }

  @Test
  void a_split_file_has_two_members_and_the_second_begins_in_the_middle_of_the_address_space() {
    assertEquals(
        new DriverInfo.Multi(
            List.of(
                new DriverInfo.Member(0, 2048, "-m.h5"),
                new DriverInfo.Member(Long.MAX_VALUE, 2048, "-r.h5"))),
        block(SPLIT));
  }

  @Test
  void members_are_in_order_of_first_use_in_the_map_and_zero_is_a_separate_member() {
    ByteWriter out = ByteWriter.create();
    out.u8(0).zeros(3).u32(8 + 3 * 16 + 24).bytes("NCSAmult".getBytes(StandardCharsets.US_ASCII));
    out.u8(0).u8(4).u8(3).u8(0).u8(4).u8(1).zeros(2);
    out.u64(0).u64(10).u64(0xaaaaaaaaaaaaaaa8L).u64(20).u64(1L << 62).u64(30);
    for (String name : List.of("%s-x.h5", "%s-y.h5", "%s-z.h5")) {
      out.bytes(name.getBytes(StandardCharsets.US_ASCII)).zeros(1);
    }
    DriverInfo.Multi multi =
        (DriverInfo.Multi) DriverInfo.decodeBlock(ByteReader.of(out.written(), "block"));
    assertEquals(
        List.of(
            new DriverInfo.Member(0, 10, "-x.h5"),
            new DriverInfo.Member(1L << 62, 30, "-z.h5"),
            new DriverInfo.Member(0xaaaaaaaaaaaaaaa8L, 20, "-y.h5")),
        multi.members());
  }

  @Test
  void the_information_of_an_unknown_driver_is_preserved() {
    DriverInfo info = block("0000000003000000" + "4d794472697665720a0b0c");
    DriverInfo.Other other = (DriverInfo.Other) info;
    assertEquals("MyDriver", other.driver());
    assertEquals("0a0b0c", other.information().toString());
  }

  @Test
  void invalid_values_are_refused_with_the_field() {
    assertEquals(
        "driver information: member size",
        named(refused("00000000080000004e435341" + "66616d690000000000000000")));
    assertEquals(
        "driver information: member map", named(refused(SPLIT.replace("010103", "010107"))));
    assertEquals(
        "driver information: first address of a member",
        named(refused(SPLIT.replace("ffffffffffffff7f", "0000000000000000"))));
    assertEquals(
        "driver information: name of a member",
        named(refused(SPLIT.replace("25732d6d2e68", "25732f6d2e68"))));
    assertEquals(
        "driver information: name of a member",
        named(refused(SPLIT.replace("25732d6d2e68", "78732d6d2e68"))));
  }

  private static String named(FormatException refused) {
    return refused.what();
  }

  @Test
  void every_truncation_and_every_changed_byte_is_read_or_refused() {
    byte[] whole = HexFormat.of().parseHex(SPLIT);
    Random random = new Random(7);
    for (int cut = 0; cut < whole.length; cut++) {
      refused(HexFormat.of().formatHex(whole, 0, cut));
    }
    int refusals = 0;
    for (int i = 0; i < 5000; i++) {
      byte[] changed = whole.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      try {
        block(HexFormat.of().formatHex(changed));
      } catch (FormatException e) {
        refusals++;
      }
    }
    assertTrue(refusals > 100, "refusals: " + refusals);
  }

  @Test
  void driver_information_of_an_early_superblock_is_read_before_the_other_members_are_open() {
    ByteWriter out = ByteWriter.create();
    out.bytes(HexFormat.of().parseHex("894844460d0a1a0a00000000000808000400100003000000"));
    out.u64(0).u64(-1).u64(0x800000000000ffffL).u64(96);
    out.u64(0).u64(0xd555555555555552L).zeros(8 + 16);
    out.bytes(HexFormat.of().parseHex(SPLIT));
    MemoryFile file = MemoryFile.of(out.toArray());
    Superblock peeked = Superblock.peek(file).orElseThrow();
    assertEquals(block(SPLIT), DriverInfoReader.read(file, peeked).orElseThrow());
    assertThrows(FormatException.class, () -> Superblock.find(file));
  }
}
