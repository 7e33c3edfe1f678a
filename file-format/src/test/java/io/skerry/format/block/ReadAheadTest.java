package io.skerry.format.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int BYTES = 3_000_000;

  private static final class Counted implements ByteSource {
    private final MemorySegment bytes;
    private int reads;
    private long most;

    Counted(byte[] bytes) {
      this.bytes = MemorySegment.ofArray(bytes);
    }

    @Override
    public MemorySegment read(long address, long length) {
      if (address < 0 || length < 0 || address > size() - length) {
        throw new FormatException("outside", size(), address + "+" + length);
      }
      reads++;
      most = Math.max(most, length);
      return bytes.asSlice(address, length);
    }

    @Override
    public long size() {
      return bytes.byteSize();
    }

    @Override
    public String name() {
      return "counted";
    }
  }

  private static Counted source() {
    byte[] bytes = new byte[BYTES];
    new Random(7).nextBytes(bytes);
    return new Counted(bytes);
  }

  @Test
  void every_read_returns_the_bytes_of_the_source() {
    Counted plain = source();
    ReadAhead ahead = new ReadAhead(source());
    Random random = new Random(11);
    long next = 0;
    for (int i = 0; i < 20_000; i++) {
      long length = random.nextInt(random.nextInt(50) == 0 ? 200_000 : 300);
      long address =
          random.nextBoolean() ? Math.min(next, BYTES - length) : random.nextLong(BYTES - length);
      assertEquals(-1, plain.read(address, length).mismatch(ahead.read(address, length)));
      next = address + length + random.nextInt(40);
    }
  }

  @Test
  void consecutive_structures_need_few_reads() {
    Counted source = source();
    ReadAhead ahead = new ReadAhead(source);
    for (long at = 0; at + 300 < BYTES; at += 272) {
      assertEquals(16, ahead.read(at, 16).byteSize());
      assertEquals(256, ahead.read(at + 16, 256).byteSize());
    }
    assertTrue(source.reads < 40, "reads=" + source.reads);
  }

  @Test
  void two_interleaved_sequences_do_not_affect_each_other() {
    Counted source = source();
    ReadAhead ahead = new ReadAhead(source);
    for (long at = 0; at < 1_000_000; at += 100) {
      assertEquals(100, ahead.read(at, 100).byteSize());
      assertEquals(100, ahead.read(1_500_000 + at, 100).byteSize());
    }
    assertTrue(source.reads < 40, "reads=" + source.reads);
  }

  @Test
  void random_reads_fetch_few_bytes() {
    Counted source = source();
    ReadAhead ahead = new ReadAhead(source);
    for (long at = BYTES - 10_000; at > 0; at -= 10_000) {
      assertEquals(100, ahead.read(at, 100).byteSize());
    }
    assertEquals(4096, source.most);
  }

  @Test
  void ranges_outside_the_file_are_refused_by_the_source() {
    ReadAhead ahead = new ReadAhead(source());
    assertEquals(1, ahead.read(BYTES - 1, 1).byteSize());
    assertThrows(FormatException.class, () -> ahead.read(BYTES - 1, 2));
    assertThrows(FormatException.class, () -> ahead.read(BYTES, 1));
    assertThrows(FormatException.class, () -> ahead.read(BYTES + 5000L, 1));
    assertThrows(FormatException.class, () -> ahead.read(-1, 1));
    assertThrows(FormatException.class, () -> ahead.read(0, -1));
    assertThrows(FormatException.class, () -> ahead.read(Long.MAX_VALUE, 5));
    assertEquals(BYTES, ahead.size());
  }
}
