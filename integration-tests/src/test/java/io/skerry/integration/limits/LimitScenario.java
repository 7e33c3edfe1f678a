package io.skerry.integration.limits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.exception.MemoryLimitException;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.function.Executable;

/**
 * Requests that exceed a heap of {@link LimitMain#MEBIBYTES}, at most 256, and similar requests
 * that fit into it.
 */
enum LimitScenario {
  /** A write to one element of a dense chunk whose image exceeds the heap. */
  LARGE_CHUNK {
    @Override
    void run(H5File file, Communicator world) {
      for (long chunk : List.of(400_000_000L, 1L << 31, (1L << 32) - 1)) {
        Dataset plain = file.createDataset("/plain" + chunk, bytes(chunk).chunked(chunk));
        refused("/plain" + chunk, chunk, () -> plain.write(one(world), value(world)));
        Dataset packed =
            file.createDataset(
                "/packed" + chunk, bytes(chunk).chunked(chunk).filters(Filters.deflate(1)));
        refused("/packed" + chunk, 2 * chunk, () -> packed.write(one(world), value(world)));
        assertArrayEquals(new byte[4], plain.readBytes(Selection.at(5).extent(4)));
      }
      assertThrows(
          RuntimeException.class,
          () -> file.createDataset("/impossible", bytes(1L << 32).chunked(1L << 32)));
    }

    @Override
    void check(H5File file) {
      assertArrayEquals(new byte[9], file.dataset("/plain400000000").readBytes(NINE));
    }
  },

  /** A grid of so many chunks that the page bitmap of its index exceeds the heap. */
  LARGE_INDEX {
    @Override
    void run(H5File file, Communicator world) {
      long chunks = (1L << 31) - 1024;
      Shape large = Shape.of(chunks * 1000);
      CollectiveException dense =
          assertThrows(
              CollectiveException.class,
              () -> file.createDataset("/dense", DatasetSpec.of(Datatype.U8, large).chunked(1)));
      assertLimit("/dense", 5 * chunks * 1000 / 1024 / 8, dense);
      CollectiveException sparse =
          assertThrows(
              CollectiveException.class,
              () -> file.createDataset("/sparse", DatasetSpec.of(Datatype.U8, large).sparse(1)));
      assertLimit("/sparse", 5 * chunks * 1000 / 1024 / 8, sparse);
      file.createDataset("/kept", bytes(9).chunked(2)).write(one(world), value(world));
      long pages = MemoryLimit.heap() * 8 / 5 / world.size() - 64;
      Dataset largest =
          file.createDataset(
              "/largest", DatasetSpec.of(Datatype.U8, Shape.of(pages * 1024)).chunked(1));
      boolean mine = world.rank() == 0;
      largest.write(
          mine ? Selection.at(pages * 1024 - 1) : Selection.none(),
          mine ? new byte[] {1} : new byte[0]);
      file.flush();
    }

    @Override
    void check(H5File file) {
      assertEquals(
          List.of("earlier", "kept", "largest", "later"),
          file.root().links().stream().map(Group.Link::name).sorted().toList());
    }
  },

  /** A write to two bytes of each of several chunks that do not fit into the heap together. */
  LIGHTLY_TOUCHED_CHUNKS {
    private static final int CHUNKS = 10;
    private static final long CHUNK = 156_250L * LimitMain.MEBIBYTES;

    @Override
    void run(H5File file, Communicator world) {
      DatasetSpec spec = bytes(CHUNKS * CHUNK).chunked(CHUNK).filters(Filters.deflate(1));
      Dataset one = file.createDataset("/one", spec);
      for (int i = 0; i < CHUNKS; i++) {
        boolean mine = i % world.size() == world.rank();
        one.write(
            mine ? Selection.at(i * CHUNK + 17).extent(2) : Selection.none(),
            mine ? new byte[] {1, 2} : new byte[0]);
      }
      Dataset all = file.createDataset("/all", spec);
      List<Selection> spots =
          LongStream.range(0, CHUNKS)
              .<Selection>mapToObj(i -> Selection.at(i * CHUNK + 17).extent(2))
              .toList();
      boolean mine = world.rank() == 0;
      Executable together =
          () ->
              all.write(
                  mine ? Selection.unionAll(spots) : Selection.none(),
                  new byte[mine ? 2 * CHUNKS : 0]);
      if (world.size() == 1) {
        // The cache of a single rank writes chunks to the file when it is full.
        assertDoesNotThrow(together);
      } else {
        refused("/all", 0, together);
      }
    }

    @Override
    void check(H5File file) {
      for (int i = 0; i < CHUNKS; i++) {
        assertArrayEquals(
            new byte[] {0, 1, 2, 0},
            file.dataset("/one").readBytes(Selection.at(i * CHUNK + 16).extent(4)));
      }
    }
  },

  /** A chunk that is filled part by part with incompressible bytes. */
  GROWING_CHUNK {
    private static final int PARTS = 10;
    private static final int PART = 39_000 * LimitMain.MEBIBYTES;

    @Override
    void run(H5File file, Communicator world) {
      DatasetSpec spec = bytes(PARTS * PART).chunked(PARTS * PART).filters(Filters.deflate(1));
      Dataset dataset = file.createDataset("/grown", spec);
      long written = 0;
      for (int i = 0; i < PARTS; i++) {
        boolean mine = world.rank() == 0;
        Selection part = mine ? Selection.at(i * PART).extent(PART) : Selection.none();
        try {
          dataset.write(part, mine ? noise(i) : new byte[0]);
        } catch (CollectiveException e) {
          assertLimit("/grown", 0, e);
          break;
        }
        written++;
      }
      dataset.setAttribute(
          "parts",
          Datatype.I64,
          Shape.scalar(),
          List.of(new Value.Whole(BigInteger.valueOf(written))));
    }

    @Override
    void check(H5File file) {
      Dataset dataset = file.dataset("/grown");
      long written = dataset.attribute("parts").orElseThrow().longs()[0];
      assertTrue(written > 0, "nothing could be written");
      for (int i = 0; i < written; i++) {
        assertArrayEquals(noise(i), dataset.readBytes(Selection.at(i * PART).extent(PART)));
      }
    }

    private static byte[] noise(int seed) {
      byte[] bytes = new byte[PART];
      new Random(seed).nextBytes(bytes);
      return bytes;
    }
  },

  /** Chunks of one byte, for each of which a transfer needs 1 KiB of heap. */
  MANY_CHUNKS {
    @Override
    void run(H5File file, Communicator world) {
      int elements = 195_000 * LimitMain.MEBIBYTES;
      Dataset thin = file.createDataset("/thin", bytes(elements).chunked(1));
      refused("/thin", 1024L * elements, () -> thin.readBytes(Selection.all()));
      refused("/thin", 1024L * elements, () -> thin.write(Selection.all(), new byte[elements]));
      assertArrayEquals(new byte[1000], thin.readBytes(Selection.at(7).extent(1000)));
      thin.write(NINE, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
    }

    @Override
    void check(H5File file) {
      assertArrayEquals(
          new byte[] {1, 2}, file.dataset("/thin").readBytes(Selection.at(1).extent(2)));
    }
  },

  /** Elements of the maximum size of a datatype, which exceed the heap, and smaller ones. */
  LARGE_ELEMENT {
    @Override
    void run(H5File file, Communicator world) {
      Opaque largest = new Opaque(Integer.MAX_VALUE, "largest");
      DatasetSpec two = DatasetSpec.of(largest, Shape.of(2));
      long bytes = Integer.MAX_VALUE;
      refused("/chunked", bytes, () -> file.createDataset("/chunked", two.chunked(1)));
      refused("/sparse", bytes, () -> file.createDataset("/sparse", two.sparse(1)));
      Dataset flat = file.createDataset("/flat", two.contiguous());
      Selection second = Selection.at(1).extent(1);
      refused("/flat", bytes, () -> flat.readBytes(second));
      refused("/flat", bytes + 48, () -> flat.readValues(second));
      MemoryLimitException fill = assertThrows(MemoryLimitException.class, flat::fillValue);
      assertTrue(fill.getMessage().contains("/flat"), fill.getMessage());
      assertEquals("-Xmx", fill.option());

      int size = 390_625 * LimitMain.MEBIBYTES;
      Opaque large = new Opaque(size, "large");
      Dataset segments =
          file.createDataset("/segments", DatasetSpec.of(large, Shape.of(2)).contiguous());
      try (Arena arena = Arena.ofConfined()) {
        boolean mine = world.rank() == 0;
        MemorySegment memory = arena.allocate(mine ? size : 0);
        if (mine) {
          memory.set(ValueLayout.JAVA_BYTE, size - 1, (byte) 7);
        }
        segments.write(mine ? second : Selection.none(), large, memory);
        memory.fill((byte) 9);
        segments.read(mine ? second : Selection.none(), large, memory);
        if (mine) {
          assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 0));
          assertEquals(7, memory.get(ValueLayout.JAVA_BYTE, size - 1));
        }
      }
    }

    @Override
    void check(H5File file) {
      assertEquals(Integer.MAX_VALUE, file.dataset("/flat").datatype().size());
    }
  },

  /** Reads of 2^30 values and more; small parts, and reads into native memory, succeed. */
  LARGE_READ {
    @Override
    void run(H5File file, Communicator world) {
      long count = 1L << 30;
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(4 * count));
      for (DatasetSpec stored :
          List.of(spec.contiguous(), spec.chunked(1 << 20), spec.sparse(1 << 20))) {
        String path = "/" + stored.storage();
        Dataset dataset = file.createDataset(path, stored);
        Selection much = Selection.at(0).extent(count);
        refused(path, 4 * count, () -> dataset.readBytes(much));
        refused(path, 2 * count, () -> dataset.readShorts(much));
        refused(path, 4 * count, () -> dataset.readInts(much));
        refused(path, 4 * count, () -> dataset.readFloats(much));
        refused(path, 8 * count, () -> dataset.readLongs(much));
        refused(path, 8 * count, () -> dataset.readDoubles(much));
        refused(path, 52 * count, () -> dataset.readValues(much));
        refused(path, 16 * count, () -> dataset.readInts(Selection.all()));
        assertArrayEquals(
            new int[3], dataset.readInts(Selection.at(4 * count - 3).extent(3)), path);
        try (Arena arena = Arena.ofConfined()) {
          long values = 39_062L * LimitMain.MEBIBYTES;
          MemorySegment memory = arena.allocate(4 * values);
          memory.fill((byte) 1);
          dataset.read(Selection.at(5).extent(values), Datatype.I32, memory);
          assertEquals(0, memory.get(ValueLayout.JAVA_INT, 4 * values - 4));
        }
      }
    }

    @Override
    void check(H5File file) {
      // Nothing was written.
    }
  };

  private static final Selection NINE = Selection.at(1).extent(9);
  private static final long QUICK_SECONDS = 5;

  /** Makes requests that are too large, in a file with unflushed data. Collective. */
  abstract void run(H5File file, Communicator world);

  /** Checks the file after one rank has reopened it. */
  abstract void check(H5File file);

  private static DatasetSpec bytes(long count) {
    return DatasetSpec.of(Datatype.I8, Shape.of(count));
  }

  /** Selects one element on the last rank, and none on the others. */
  private static Selection one(Communicator world) {
    return isLast(world) ? Selection.at(6).extent(1) : Selection.none();
  }

  private static byte[] value(Communicator world) {
    return isLast(world) ? new byte[] {3} : new byte[0];
  }

  private static boolean isLast(Communicator world) {
    return world.rank() == world.size() - 1;
  }

  /**
   * Expects a request to be refused quickly.
   *
   * @param bytes the number of bytes in the message; 0 for any
   */
  private static void refused(String path, long bytes, Executable request) {
    long start = System.nanoTime();
    CollectiveException refusal = assertThrows(CollectiveException.class, request);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    assertLimit(path, bytes, refusal);
    assertTrue(seconds < QUICK_SECONDS, () -> seconds + " s for " + refusal.getMessage());
  }

  private static void assertLimit(String path, long bytes, CollectiveException refusal) {
    String text = refusal.getMessage();
    Consumer<String> has = part -> assertTrue(text.contains(part), () -> part + " in " + text);
    has.accept("more memory than the process may use");
    has.accept("object=" + path);
    has.accept("file=");
    has.accept("option=-Xmx");
    has.accept(" limit=");
    has.accept(bytes == 0 ? " bytes=" : " bytes=" + bytes + " ");
  }
}
