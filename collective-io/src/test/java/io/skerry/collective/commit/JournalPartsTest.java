package io.skerry.collective.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalPartsTest {
  @TempDir Path folder;

  private static BlockImage block(long address, MemorySegment bytes) {
    return new BlockImage(address, BlockKind.CHUNK, bytes);
  }

  /** Checks that the parts contain all bytes of the blocks, in order and without gaps. */
  private static void assertDivided(List<BlockImage> blocks, List<List<BlockImage>> parts) {
    List<BlockImage> pieces = parts.stream().flatMap(List::stream).toList();
    int next = 0;
    for (BlockImage block : blocks) {
      long at = block.address();
      while (at < block.block().end()) {
        BlockImage piece = pieces.get(next++);
        assertEquals(at, piece.address());
        assertTrue(at == block.address() || at % 512 == 0, "cut at " + at);
        at = piece.block().end();
      }
      assertEquals(block.block().end(), at);
    }
    assertEquals(pieces.size(), next);
  }

  @Test
  void every_encoded_part_is_within_the_limit() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      JournalParts limit = new JournalParts(1024 + random.nextInt(20_000));
      List<BlockImage> blocks = new ArrayList<>();
      long at = 0;
      for (int i = random.nextInt(30); i >= 0; i--) {
        byte[] bytes = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 30_000)];
        blocks.add(block(at, MemorySegment.ofArray(bytes)));
        at += bytes.length + random.nextInt(3) * 100;
      }
      List<List<BlockImage>> parts = limit.divide(blocks);
      assertDivided(blocks, parts);
      for (List<BlockImage> part : parts) {
        MemorySegment body = Journal.of(new Zeros(at), at, at, part).encode();
        long bytes = ByteWriter.create().u64(body.byteSize()).bytes(body).position();
        assertTrue(bytes <= limit.limit(), bytes + " bytes in " + limit);
      }
    }
  }

  @Test
  void blocks_that_fit_into_one_part_are_not_divided() {
    List<BlockImage> blocks =
        List.of(
            block((1L << 29) - 100, MemorySegment.ofArray(new byte[300])),
            block(1L << 40, MemorySegment.ofArray(new byte[5000])));
    assertEquals(List.of(blocks), JournalParts.STANDARD.divide(blocks));
    assertEquals(List.of(), JournalParts.STANDARD.divide(List.of()));
  }

  /** The blocks share one mapping of a sparse file without data. */
  @Test
  void blocks_of_more_than_two_gibibytes_are_divided() throws IOException {
    try (FileChannel hole =
            FileChannel.open(
                folder.resolve("hole"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = hole.map(MapMode.READ_WRITE, 0, 3L << 30, arena);
      List<BlockImage> blocks =
          List.of(block(100, bytes), block(4L << 30, bytes.asSlice(0, 900L << 20)));
      List<List<BlockImage>> parts = JournalParts.STANDARD.divide(blocks);
      assertDivided(blocks, parts);
      for (List<BlockImage> part : parts) {
        long sum = part.stream().mapToLong(piece -> piece.bytes().byteSize()).sum();
        assertTrue(sum <= 1L << 30, "a part of " + sum + " bytes");
      }
    }
  }

  private record Zeros(long size) implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      return MemorySegment.ofArray(new byte[(int) length]);
    }

    @Override
    public String name() {
      return "zeros";
    }
  }
}
