package io.skerry.chunk.filter.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.chunk.filter.codec.BlockCodec;
import io.skerry.chunk.filter.codec.LibraryCodec;
import io.skerry.chunk.filter.codec.Lzf;
import io.skerry.chunk.filter.deflate.DeflateFilter;
import io.skerry.chunk.filter.szip.SzipFilter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a chunk that is too long for an array is reported as unsupported and not as damaged,
 * since it may be valid.
 */
class LongChunksTest {
  private static final int DECODED = 1000;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @TempDir Path folder;

  @Test
  void a_stored_chunk_that_is_too_long_for_an_array_is_not_supported() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stored = sparse(arena, 3L << 30);
      for (Filter filter :
          List.of(
              new DeflateFilter(),
              new Bzip2Filter(),
              new LzfFilter(),
              new ZstdFilter(),
              new BitshuffleFilter())) {
        FilterSpec spec = FilterSpec.of(filter.id(), FilterSpec.Flag.MANDATORY, 0, 4, 1);
        assertThrows(
            UnsupportedFeatureException.class,
            () -> filter.decode(stored, spec, 4L << 30),
            filter.name());
      }
    }
  }

  @Test
  void szip_data_that_are_too_long_for_an_array_are_not_supported() throws IOException {
    FilterSpec spec = FilterSpec.of(Filters.SZIP, FilterSpec.Flag.MANDATORY, 0, 8, 8, 64);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stored = sparse(arena, 3L << 30);
      assertThrows(
          UnsupportedFeatureException.class, () -> new SzipFilter().decode(stored, spec, 4L << 30));
    }
  }

  @Test
  void a_piece_in_a_blosc_container_that_is_too_long_for_an_array_is_not_supported()
      throws IOException {
    FilterSpec spec = FilterSpec.of(Filters.BLOSC, FilterSpec.Flag.MANDATORY);
    long bytes = 3L << 30;
    for (int format : new int[] {0, 1, 2, 3, 4}) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment container = sparse(arena, bytes);
        int start = BloscHeader.SIZE + 4;
        int flags = format << 5 | BloscHeader.NOT_SPLIT;
        byte[] header = new BloscHeader(flags, 4, DECODED, DECODED, bytes).write();
        MemorySegment.copy(header, 0, container, ValueLayout.JAVA_BYTE, 0, header.length);
        container.set(U32, BloscHeader.SIZE, start);
        container.set(U32, start, (int) (bytes - start - 4));
        assertThrows(
            UnsupportedFeatureException.class,
            () -> new BloscFilter().decode(container, spec, DECODED),
            "format " + format);
      }
    }
  }

  /** Returns bytes that occupy neither memory nor space in the file system. */
  private MemorySegment sparse(Arena arena, long bytes) throws IOException {
    Path file = folder.resolve("sparse");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      return channel.map(MapMode.READ_WRITE, 0, bytes, arena);
    }
  }

  @Test
  void bzip2_data_that_are_too_long_only_for_an_array_are_not_supported() {
    FilterSpec spec = FilterSpec.of(new Bzip2Filter().id(), FilterSpec.Flag.MANDATORY, 9);
    MemorySegment stored =
        new Bzip2Filter()
            .encode(MemorySegment.ofArray(new byte[DECODED]), spec, Filter.Growth.STORED)
            .orElseThrow();
    assertLimits(limit -> Bzip2Filter.decode(stored, limit));
  }

  @Test
  void blocks_that_are_too_long_only_for_an_array_are_not_supported() {
    for (BlockCodec codec : List.of(new Lzf(), LibraryCodec.zstd(3))) {
      MemorySegment stored =
          CompressedOutput.block(codec, MemorySegment.ofArray(new byte[DECODED]));
      assertLimits(limit -> WholeBlock.decode(codec, stored, 2 * DECODED, limit));
    }
  }

  /** Checks the limits of a decoder whose input decodes to 1,000 bytes. */
  private static void assertLimits(Function<DecodeLimit, MemorySegment> decoder) {
    assertThrows(
        UnsupportedFeatureException.class,
        () -> decoder.apply(new DecodeLimit("x", DECODED, DECODED - 1)));
    assertThrows(
        FormatException.class, () -> decoder.apply(new DecodeLimit("x", DECODED - 1, DECODED - 1)));
    assertEquals(DECODED, decoder.apply(new DecodeLimit("x", 5000, DECODED)).byteSize());
  }
}
