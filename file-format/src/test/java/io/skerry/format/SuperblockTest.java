package io.skerry.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
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
  void the_bytes_are_those_of_hdf5() {
    ByteWriter out = ByteWriter.create();
    Superblock.of(0x940, 48).encode(out);
    assertEquals(
        "894844460d0a1a0a03080800"
            + "0000000000000000ffffffffffffffff40090000000000003000000000000000"
            + "9b166602",
        HexFormat.of().formatHex(out.toArray()));
  }

  @Test
  void it_is_found_behind_a_user_block() {
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
  void every_damaged_byte_and_every_missing_end_is_noticed() {
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
  void status_flags_are_ignored_and_written_zero() {
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
}
