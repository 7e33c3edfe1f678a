package io.skerry.format.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.journal.Journal.Decision;
import io.skerry.format.superblock.Superblock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class JournalTest {
  private final Random random = new Random(5);

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private BlockImage image(long address, int length) {
    return new BlockImage(address, BlockKind.OBJECT_HEADER, MemorySegment.ofArray(bytes(length)));
  }

  @Test
  void a_complete_journal_is_decoded_from_its_bytes() {
    MemoryFile file = MemoryFile.of(bytes(4000));
    Journal journal = Journal.of(file, 4000, 5000, List.of(image(100, 700), image(3990, 1010)));
    assertEquals(journal, Journal.decode(journal.encode()));
  }

  @Test
  void every_mix_of_old_and_new_sectors_is_replayed_to_the_same_file() {
    for (int run = 0; run < 300; run++) {
      byte[] old = bytes(6000);
      List<BlockImage> images =
          List.of(image(0, 48), image(300, 1700), image(2100, 30), image(5800, 600));
      Journal journal = Journal.of(MemoryFile.of(old), 6000, 6400, images);
      MemoryFile file = MemoryFile.of(old);
      List<Integer> sectors = new ArrayList<>();
      for (int sector = 0; sector * 512 < 6400; sector++) {
        if (random.nextBoolean()) {
          sectors.add(sector);
        }
      }
      for (BlockImage image : images) {
        tear(file, image, sectors);
      }
      Decision decision = Journal.decode(journal.encode()).decide(file);
      assertEquals(
          sectors.containsAll(List.of(0, 1, 2, 3, 4, 11, 12))
              ? Decision.ALREADY_DONE
              : Decision.REPLAY,
          decision);
      journal.entries().forEach(e -> file.write(e.address(), e.image().segment()));
      MemoryFile expected = MemoryFile.of(old);
      images.forEach(expected::write);
      assertEquals(-1, Arrays.mismatch(expected.toArray(), file.toArray()));
      assertEquals(Decision.ALREADY_DONE, journal.decide(file));
    }
  }

  /** Writes the parts of an image that are in the given sectors. */
  private static void tear(MemoryFile file, BlockImage image, List<Integer> sectors) {
    for (int sector : sectors) {
      long from = Math.max(image.address(), sector * 512L);
      long to = Math.min(image.block().end(), sector * 512L + 512);
      if (from < to) {
        file.write(from, image.bytes().asSlice(from - image.address(), to - from));
      }
    }
  }

  @Test
  void a_file_that_another_program_changed_is_refused() {
    byte[] old = bytes(3000);
    Journal journal = Journal.of(MemoryFile.of(old), 3000, 3000, List.of(image(100, 900)));
    MemoryFile file = MemoryFile.of(old);
    file.write(500, MemorySegment.ofArray(new byte[] {(byte) (old[500] + 1)}));
    assertEquals(Decision.REFUSE, journal.decide(file));
    assertEquals(Decision.REFUSE, journal.decide(MemoryFile.of(Arrays.copyOf(old, 600))));
    MemoryFile beside = MemoryFile.of(old);
    beside.write(50, MemorySegment.ofArray(new byte[] {(byte) (old[50] + 1)}));
    assertEquals(Decision.REPLAY, journal.decide(beside));
  }

  @Test
  void an_incomplete_or_damaged_journal_is_refused() {
    byte[] old = bytes(3000);
    byte[] whole =
        Journal.of(MemoryFile.of(old), 3000, 3000, List.of(image(100, 900)))
            .encode()
            .toArray(ValueLayout.JAVA_BYTE);
    for (int length = 0; length < whole.length; length++) {
      MemorySegment part = MemorySegment.ofArray(Arrays.copyOf(whole, length));
      assertThrows(FormatException.class, () -> Journal.decode(part));
    }
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= (byte) (1 << random.nextInt(8));
      assertThrows(FormatException.class, () -> Journal.decode(MemorySegment.ofArray(damaged)));
    }
  }

  @Test
  void a_block_beyond_the_new_end_of_file_is_refused_and_named() {
    MemoryFile file = MemoryFile.of(bytes(4000));
    for (long address : new long[] {4501, 1L << 40, 1L << 62}) {
      Journal journal = Journal.of(file, 4000, 5000, List.of(image(100, 50), image(address, 500)));
      Journal read = Journal.decode(journal.encode());
      assertEquals(Decision.REFUSE, read.decide(file));
      assertEquals(true, read.foreign(file).orElseThrow().end() > 5000);
    }
  }

  @Test
  void a_journal_with_a_block_that_ends_beyond_all_addresses_is_refused() {
    MemoryFile file = MemoryFile.of(bytes(4000));
    MemorySegment journal = Journal.of(file, 4000, 5000, List.of(image(100, 500))).encode();
    // Signature, version, count, two ends of file and a fingerprint precede the first address.
    ByteWriter patched = ByteWriter.create().bytes(journal.asSlice(0, journal.byteSize() - 8));
    patched.patchU64(40, Long.MAX_VALUE - 499);
    CRC32C crc = new CRC32C();
    crc.update(patched.toArray());
    long check = crc.getValue() << 32 | Lookup3.checksum(patched.written()) & 0xffffffffL;
    MemorySegment whole = patched.u64(check).written();
    assertThrows(FormatException.class, () -> Journal.decode(whole));
  }

  private static byte[] superblock(long endOfFile) {
    ByteWriter out = ByteWriter.create();
    Superblock.of(endOfFile, 48).encode(out);
    return out.toArray();
  }

  private static MemorySegment midFlush(long endOfFile) {
    ByteWriter out = ByteWriter.create();
    Superblock.of(endOfFile, 48).encodeMidFlush(out);
    return out.written();
  }

  /** Returns a file that ends at 4000. */
  private byte[] fileAt4000() {
    byte[] old = bytes(4000);
    System.arraycopy(superblock(4000), 0, old, 0, 48);
    return old;
  }

  private Journal toEndAt5000(byte[] old) {
    BlockImage top =
        new BlockImage(0, BlockKind.SUPERBLOCK, MemorySegment.ofArray(superblock(5000)));
    Journal journal =
        Journal.of(MemoryFile.of(old), 4000, 5000, List.of(image(1000, 700), top))
            .withMidFlush(midFlush(4000));
    return Journal.decode(journal.encode());
  }

  @Test
  void the_mid_flush_superblock_is_accepted_as_old_content() {
    byte[] old = fileAt4000();
    Journal journal = toEndAt5000(old);
    MemoryFile file = MemoryFile.of(old);
    assertEquals(Decision.REPLAY, journal.decide(file));
    file.write(0, midFlush(4000));
    assertEquals(Decision.REPLAY, journal.decide(file));
    journal.entries().forEach(e -> file.write(e.address(), e.image().segment()));
    assertEquals(Decision.ALREADY_DONE, journal.decide(file));
    file.write(0, midFlush(4000));
    assertEquals(Decision.REPLAY, journal.decide(file));
  }

  @Test
  void the_mid_flush_superblock_of_another_flush_is_refused() {
    byte[] old = fileAt4000();
    Journal journal = toEndAt5000(old);
    MemoryFile file = MemoryFile.of(old);
    // The superblock of the flush after that of the journal has different content.
    ByteWriter later = ByteWriter.create();
    Superblock.of(5000, 300).encodeMidFlush(later);
    file.write(0, later.written());
    assertEquals(Decision.REFUSE, journal.decide(file));
    assertEquals(0, journal.foreign(file).orElseThrow().address());
  }

  @Test
  void a_torn_superblock_in_the_middle_of_a_flush_is_refused() {
    byte[] old = fileAt4000();
    Journal journal = toEndAt5000(old);
    MemorySegment marked = midFlush(4000);
    for (int length = 12; length < 48; length++) {
      MemoryFile file = MemoryFile.of(old);
      file.write(0, marked.asSlice(0, length));
      boolean torn = marked.mismatch(file.read(0, 48)) != -1;
      assertEquals(torn ? Decision.REFUSE : Decision.REPLAY, journal.decide(file), "" + length);
    }
  }

  /**
   * Journals of version 1 have no fingerprint of a mid-flush superblock, and their files never have
   * such a superblock.
   */
  @Test
  void a_journal_of_version_1_is_read() {
    byte[] old = fileAt4000();
    byte[] second = toEndAt5000(old).encode().toArray(ValueLayout.JAVA_BYTE);
    ByteWriter first = ByteWriter.create().bytes(Arrays.copyOf(second, 8)).u32(1);
    first.bytes(Arrays.copyOfRange(second, 12, 32));
    first.bytes(Arrays.copyOfRange(second, 40, second.length - 8));
    CRC32C crc = new CRC32C();
    crc.update(first.toArray());
    first.u64(crc.getValue() << 32 | Lookup3.checksum(first.written()) & 0xffffffffL);
    Journal journal = Journal.decode(first.written());
    assertEquals(2, journal.entries().size());
    MemoryFile file = MemoryFile.of(old);
    assertEquals(Decision.REPLAY, journal.decide(file));
    file.write(0, midFlush(4000));
    assertEquals(Decision.REFUSE, journal.decide(file));
  }
}
