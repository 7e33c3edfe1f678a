package io.skerry.internal.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.superblock.Superblock;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class WriteChecksTest {
  private static Superblock superblock(int offset, long base) {
    return new Superblock(2, new Widths(offset, 8), base, FileAddress.UNDEFINED, 96, 48);
  }

  @Test
  void every_end_of_file_that_is_accepted_is_read_as_that_of_a_complete_file() {
    for (int offset : new int[] {2, 4}) {
      for (long base : new long[] {0, 512}) {
        Superblock superblock = superblock(offset, base);
        FormatFile file = FormatFile.beginning(new Empty(), superblock);
        long last = (1L << 8 * offset) - 3 - base;
        WriteChecks.checkReach(file, last);
        ByteWriter out = ByteWriter.create();
        superblock.withEndOfFile(last).encode(out);
        Superblock read = Superblock.decode(ByteReader.of(out.written(), "superblock"));
        assertEquals(last, read.endOfFile());
        assertFalse(read.isMidFlush());
      }
    }
  }

  @Test
  void an_end_of_file_that_means_an_incomplete_flush_or_an_undefined_address_is_rejected() {
    for (int offset : new int[] {2, 4}) {
      for (long base : new long[] {0, 512}) {
        FormatFile file = FormatFile.beginning(new Empty(), superblock(offset, base));
        long beyond = (1L << 8 * offset) - base;
        for (long end : new long[] {beyond - 2, beyond - 1, beyond, beyond + 1}) {
          String message =
              assertThrows(
                      UnsupportedFeatureException.class, () -> WriteChecks.checkReach(file, end))
                  .getMessage();
          assertTrue(message.contains("offsetBytes=" + offset + " endOfFile=" + end), message);
        }
      }
    }
  }

  @Test
  void offsets_of_eight_bytes_reach_every_end_of_file() {
    WriteChecks.checkReach(FormatFile.beginning(new Empty(), superblock(8, 0)), 1L << 50);
  }

  private record Empty() implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      throw new AssertionError("read at " + address);
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public String name() {
      return "empty";
    }
  }
}
