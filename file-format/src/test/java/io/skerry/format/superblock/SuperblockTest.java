package io.skerry.format.superblock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SuperblockTest {
  private static MemoryFile file(Superblock superblock, int length) {
    ByteWriter out = ByteWriter.create();
    superblock.encode(out);
    MemoryFile file = MemoryFile.empty();
    file.write(superblock.baseAddress(), out.written());
    file.grow(length);
    return file;
  }

  @Test
  void the_bytes_are_equal_to_those_of_hdf5() {
    ByteWriter out = ByteWriter.create();
    Superblock.of(0x940, 48).encode(out);
    assertEquals(
        "894844460d0a1a0a03080800"
            + "0000000000000000ffffffffffffffff40090000000000003000000000000000"
            + "9b166602",
        HexFormat.of().formatHex(out.toArray()));
  }

  @Test
  void a_superblock_after_a_user_block_is_found() {
    for (int base : new int[] {0, 512, 1024, 2048, 65536}) {
      for (Widths widths : new Widths[] {Widths.EIGHT, new Widths(4, 4), new Widths(8, 2)}) {
        Superblock written = new Superblock(2, widths, base, FileAddress.UNDEFINED, 300, 96);
        Superblock found = Superblock.find(file(written, base + 300));
        assertEquals(written, found);
        assertEquals(12 + 4 * widths.offset() + 4, found.size());
      }
    }
  }

  @Test
  void a_truncated_file_is_refused_with_both_sizes() {
    FormatException refused =
        assertThrows(
            FormatException.class, () -> Superblock.find(file(Superblock.of(5000, 48), 4999)));
    assertEquals("truncated file", refused.what());
    assertEquals("at least 5000 bytes", refused.expected());
    assertEquals("4999 bytes", refused.actual());
  }

  @Test
  void a_file_without_signature_is_refused() {
    FormatException refused =
        assertThrows(
            FormatException.class,
            () ->
                Superblock.find(
                    MemoryFile.of("not an HDF5 file at all".getBytes(StandardCharsets.US_ASCII))));
    assertEquals("not an HDF5 file", refused.what());
    assertThrows(FormatException.class, () -> Superblock.find(MemoryFile.empty()));
  }

  @Test
  void every_damaged_byte_and_every_truncation_is_detected() {
    ByteWriter out = ByteWriter.create();
    Superblock.of(48, 48).encode(out);
    for (int i = 0; i < 48; i++) {
      byte[] damaged = out.toArray();
      damaged[i] ^= 0x10;
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> Superblock.find(MemoryFile.of(damaged)));
      assertTrue(
          refused instanceof FormatException || refused instanceof UnsupportedFeatureException,
          refused::toString);
      byte[] cut = Arrays.copyOf(out.toArray(), i);
      assertThrows(FormatException.class, () -> Superblock.find(MemoryFile.of(cut)));
    }
  }

  @Test
  void status_flags_are_ignored_and_written_as_zero() {
    ByteWriter out = ByteWriter.create();
    Superblock.of(48, 48).encode(out);
    byte[] flagged = out.toArray();
    flagged[11] = 5;
    ByteWriter again = ByteWriter.create();
    again.bytes(MemorySegment.ofArray(flagged).asSlice(0, 44)).checksumFrom(0);
    Superblock found = Superblock.decode(ByteReader.of(again.written(), "superblock"));
    ByteWriter back = ByteWriter.create();
    found.encode(back);
    assertEquals(-1, back.written().mismatch(out.written()));
  }

  @Test
  void a_mid_flush_superblock_has_the_write_access_flag_and_an_impossible_end_of_file() {
    ByteWriter out = ByteWriter.create();
    Superblock.of(0x940, 48).encodeMidFlush(out);
    assertEquals(
        "894844460d0a1a0a03080801"
            + "0000000000000000ffffffffffffffff00000000000000403000000000000000",
        HexFormat.of().formatHex(out.toArray(), 0, 44));
    assertTrue(Superblock.decode(ByteReader.of(out.written(), "superblock")).isMidFlush());
    assertFalse(Superblock.of(0x940, 48).isMidFlush());
  }

  @Test
  void a_mid_flush_superblock_of_any_version_and_width_is_refused() {
    SymbolEntry root = new SymbolEntry(0, 96, new SymbolEntry.OfGroup(136, 680));
    for (int version = 0; version <= 3; version++) {
      for (int width : new int[] {2, 4, 8}) {
        for (int base : new int[] {0, 512, 2048}) {
          Optional<EarlyFields> early =
              version < 2
                  ? Optional.of(new EarlyFields(TreeOrders.DEFAULT, FileAddress.UNDEFINED, root))
                  : Optional.empty();
          Superblock whole =
              new Superblock(
                  version,
                  new Widths(width, 8),
                  base,
                  FileAddress.UNDEFINED,
                  6000,
                  root.headerAddress(),
                  early);
          ByteWriter out = ByteWriter.create();
          whole.encodeMidFlush(out);
          assertEquals(whole.size(), out.position());
          MemoryFile file = MemoryFile.empty();
          file.write(base, out.written());
          file.grow(base + 6000);
          Superblock found = Superblock.peek(file).orElseThrow();
          assertTrue(found.isMidFlush());
          ByteWriter again = ByteWriter.create();
          found.withEndOfFile(6000).encode(again);
          ByteWriter before = ByteWriter.create();
          whole.encode(before);
          assertEquals(-1, before.written().mismatch(again.written()));
          FormatException refused =
              assertThrows(FormatException.class, () -> Superblock.find(file));
          assertTrue(refused.what().startsWith("an interrupted flush"), refused.what());
          assertTrue(refused.expected().contains(file.name() + ".journal"), refused.expected());
        }
      }
    }
  }

  @Test
  void versions_0_and_1_are_read_back_and_have_the_bytes_of_hdf5() {
    SymbolEntry root = new SymbolEntry(0, 96, new SymbolEntry.OfGroup(136, 680));
    ByteWriter out = ByteWriter.create();
    Superblock.earliest(800, root).encode(out);
    assertEquals(
        "894844460d0a1a0a"
            + "0000000000080800"
            + "0400100000000000"
            + "0000000000000000"
            + "ffffffffffffffff"
            + "2003000000000000"
            + "ffffffffffffffff"
            + "0000000000000000"
            + "6000000000000000"
            + "0100000000000000"
            + "8800000000000000"
            + "a802000000000000",
        HexFormat.of().formatHex(out.toArray()));
    for (int version = 0; version < 2; version++) {
      for (int base : new int[] {0, 512, 2048}) {
        for (Widths widths : new Widths[] {Widths.EIGHT, new Widths(4, 8), new Widths(8, 4)}) {
          TreeOrders orders = new TreeOrders(3, 9, version == 0 ? 32 : 11);
          EarlyFields early = new EarlyFields(orders, FileAddress.UNDEFINED, root);
          Superblock written =
              new Superblock(
                  version, widths, base, FileAddress.UNDEFINED, 300, 96, Optional.of(early));
          assertEquals(written, Superblock.find(file(written, base + 300)));
          ByteWriter bytes = ByteWriter.create();
          written.encode(bytes);
          assertEquals(bytes.position(), written.size());
          SymbolEntry other = SymbolEntry.hard(0, 200);
          assertEquals(200, written.withRoot(other).rootAddress());
        }
      }
    }
  }

  @Test
  void damage_to_version_0_is_refused_or_changes_a_visible_value() {
    SymbolEntry root = SymbolEntry.hard(0, 96);
    ByteWriter out = ByteWriter.create();
    Superblock.earliest(96, root).encode(out);
    for (int length = 0; length < 96; length++) {
      byte[] cut = Arrays.copyOf(out.toArray(), length);
      assertThrows(FormatException.class, () -> Superblock.find(MemoryFile.of(cut)));
    }
    for (int field : new int[] {8, 9, 10, 12, 13, 14, 47, 63, 71, 75}) {
      byte[] damaged = out.toArray();
      damaged[field] = (byte) 0x93;
      assertThrows(
          FormatException.class, () -> Superblock.find(MemoryFile.of(damaged)), "" + field);
    }
  }
}
