package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests independent reads in separate threads while all ranks write and flush. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class IndependentReadsTest {
  private static final int ROWS = 24;
  private static final int COLUMNS = 10;
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");
  private static final int FLUSHES = THOROUGH ? 25 : 10;

  /** The number of writes that readers compete with; each chunk is written in every sixth. */
  private static final int ROUNDS = THOROUGH ? 400 : 60;

  @TempDir Path folder;

  /** The storage of the dataset. */
  enum Kind {
    PLAIN,
    FILTERED,
    SPARSE,
    GROWING,
    FLAT;

    DatasetSpec spec() {
      Shape shape = Shape.of(ROWS, COLUMNS);
      return switch (this) {
        case PLAIN -> DatasetSpec.of(Datatype.I32, shape).chunked(5, 4);
        case FILTERED ->
            DatasetSpec.of(Datatype.I32, shape).chunked(5, 4).filters(Filters.deflate(1));
        case SPARSE -> DatasetSpec.of(Datatype.I32, shape).sparse(5, 4);
        case GROWING ->
            DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS).unlimited(0).unlimited(1))
                .chunked(5, 4);
        case FLAT -> DatasetSpec.of(Datatype.I32, shape);
      };
    }
  }

  /** The observations of the threads of one rank. */
  private static final class Watch {
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicInteger newest = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    // Every exception of a thread must be reported to the test.
    @SuppressWarnings("CatchingUnchecked")
    Thread start(Dataset data, Kind kind, long seed) {
      return Thread.ofPlatform()
          .start(() -> {
            try {
              Random random = new Random(seed);
              while (!done.get()) {
                look(data, kind, random);
                reads.incrementAndGet();
              }
            } catch (Throwable failure) {
              failures.add(failure);
            }
          });
    }

    /** Waits until another read ends or fails. */
    void awaitRead() {
      long before = reads.get();
      while (reads.get() == before && failures.isEmpty()) {
        Thread.yield();
      }
    }

    private void look(Dataset data, Kind kind, Random random) {
      int top = random.nextInt(ROWS);
      int left = random.nextInt(COLUMNS);
      int height = 1 + random.nextInt(ROWS - top);
      int width = 1 + random.nextInt(COLUMNS - left);
      Selection box = Selection.box(new long[] {top, left}, new long[] {height, width});
      int before = newest.get();
      int[] seen = data.readInts(box);
      if (kind == Kind.FLAT) {
        // Writes in place are visible immediately, row by row.
        int after = newest.get();
        assertTrue(
            Arrays.stream(seen).allMatch(value -> value >= before && value <= after + 1),
            () -> "outside " + before + ".." + (after + 1) + ": " + Arrays.toString(seen));
        return;
      }
      int first = seen[0];
      assertTrue(
          Arrays.stream(seen).allMatch(value -> value == first),
          () -> "more than one state: " + Arrays.toString(seen));
      assertTrue(first >= before, () -> "read " + first + " after flush " + before);
      if (kind == Kind.SPARSE && random.nextBoolean()) {
        long defined = data.defined(box).count(data.shape());
        assertTrue(defined == 0 || defined == seen.length, () -> "defined: " + defined);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void a_read_sees_one_flushed_state_during_any_operation_of_the_ranks(Kind kind) {
    Path path = folder.resolve(kind + ".h5");
    FileOptions options =
        FileOptions.standard()
            .withOverwriting(FileOptions.Overwriting.BY_FLUSH)
            .withAheadLimit(1 << 20)
            .withCache(CacheOptions.standard().withFixedSize(1000));
    LocalRanks.run(3, ranks -> writeAndWatch(path, kind, options, ranks));
  }

  private static void writeAndWatch(Path path, Kind kind, FileOptions options, Communicator ranks) {
    Watch watch = new Watch();
    try (H5File file = H5File.create(path, ranks, options)) {
      Dataset data = file.createDataset("/data", kind.spec());
      file.flush();
      Dataset own = data.independent();
      assertThrows(IllegalStateException.class, () -> own.write(Selection.none(), new int[0]));
      List<Thread> threads =
          List.of(watch.start(own, kind, ranks.rank()), watch.start(own, kind, 10 + ranks.rank()));
      try {
        for (int state = 1; state <= FLUSHES; state++) {
          // The parts of the ranks share chunks.
          long from = ROWS * ranks.rank() / 3L;
          long to = ROWS * (ranks.rank() + 1L) / 3;
          Selection part = Selection.box(new long[] {from, 0}, new long[] {to - from, COLUMNS});
          int[] values = new int[(int) (to - from) * COLUMNS];
          Arrays.fill(values, state);
          data.write(part, values);
          watch.awaitRead();
          file.flush();
          watch.newest.set(state);
          assertEquals(state, data.readInts(part)[0]);
        }
      } finally {
        watch.done.set(true);
        for (Thread thread : threads) {
          join(thread);
        }
      }
    }
    watch.failures.forEach(failure -> {
      throw new AssertionError("a reader of rank " + ranks.rank() + " failed", failure);
    });
  }

  @Test
  void a_read_may_use_the_grown_extent() {
    Path path = folder.resolve("grown.h5");
    LocalRanks.run(
        2,
        ranks -> {
          try (H5File file = H5File.create(path, ranks)) {
            Dataset data =
                file.createDataset(
                    "/data", DatasetSpec.of(Datatype.I32, Shape.of(3).unlimited(0)).chunked(2));
            file.flush();
            Dataset own = data.independent();
            data.extendTo(6);
            data.write(Selection.at(3L + ranks.rank()), new int[] {7});
            file.flush();
            assertEquals(6, own.shape().extent(0));
            assertArrayEquals(new int[] {0, 0, 0, 7, 7, 0}, own.readInts(Selection.all()));
            assertEquals(6, own.defined(Selection.all()).count(own.shape()));
            data.extendTo(4);
            file.flush();
            assertArrayEquals(new int[] {0, 0, 0, 7}, own.readInts(Selection.all()));
            assertThrows(IllegalArgumentException.class, () -> own.readInts(Selection.at(4)));
          }
        });
  }

  @Test
  void an_edge_chunk_is_read_as_stored_before_the_new_extent_is_flushed() {
    Path path = folder.resolve("edges.h5");
    LocalRanks.run(
        2,
        ranks -> {
          try (H5File file = H5File.create(path, ranks)) {
            Dataset data =
                file.createDataset(
                    "/data",
                    DatasetSpec.of(Datatype.I32, Shape.of(12).unlimited(0))
                        .chunked(8)
                        .filters(Filters.deflate(1))
                        .edges(DatasetSpec.Edges.UNFILTERED));
            Selection mine = Selection.at(6L * ranks.rank()).extent(6);
            data.write(mine, new int[] {1, 2, 3, 4, 5, 6});
            file.flush();
            Dataset own = data.independent();
            data.extendTo(16);
            assertArrayEquals(new int[] {3, 4, 5, 6}, own.readInts(Selection.at(8).extent(4)));
            assertArrayEquals(
                new int[] {3, 4, 5, 6, 0, 0, 0, 0}, own.readInts(Selection.at(8).extent(8)));
            file.flush();
            assertArrayEquals(new int[] {3, 4, 5, 6}, own.readInts(Selection.at(8).extent(4)));
            data.extendTo(12);
            assertArrayEquals(new int[] {3, 4, 5, 6}, own.readInts(Selection.at(8).extent(4)));
            assertArrayEquals(new int[] {3}, own.readInts(Selection.at(8)));
            file.flush();
            assertArrayEquals(new int[] {3, 4, 5, 6}, own.readInts(Selection.at(8).extent(4)));
          }
        });
  }

  @Test
  void a_write_into_a_chunk_stored_before_the_flush_continues_from_its_content() {
    Path path = folder.resolve("ahead.h5");
    FileOptions options = FileOptions.standard().withAheadLimit(1);
    LocalRanks.run(
        2,
        ranks -> {
          try (H5File file = H5File.create(path, ranks, options)) {
            Dataset data =
                file.createDataset(
                    "/data",
                    DatasetSpec.of(Datatype.I32, Shape.of(4))
                        .chunked(4)
                        .filters(Filters.deflate(1)));
            Selection mine = ranks.rank() == 0 ? Selection.all() : Selection.none();
            data.write(mine, ranks.rank() == 0 ? new int[] {1, 1, 1, 1} : new int[0]);
            file.flush();
            data.write(mine, ranks.rank() == 0 ? new int[] {2, 2, 2, 2} : new int[0]);
            Dataset own = data.independent();
            assertArrayEquals(new int[] {1, 1}, own.readInts(Selection.at(0).extent(2)));
            Selection part = ranks.rank() == 0 ? Selection.at(1) : Selection.none();
            data.write(part, ranks.rank() == 0 ? new int[] {3} : new int[0]);
            assertArrayEquals(new int[] {1, 1, 1, 1}, own.readInts(Selection.all()));
            file.flush();
            assertArrayEquals(new int[] {2, 3, 2, 2}, own.readInts(Selection.all()));
          }
        });
  }

  @Test
  void chunks_evicted_by_a_reader_are_loaded_again_by_a_write() {
    Path path = folder.resolve("evicted.h5");
    int chunks = 12;
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(900));
    LocalRanks.run(
        2,
        ranks -> {
          int rank = ranks.rank();
          AtomicBoolean done = new AtomicBoolean();
          Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
          List<Thread> threads = new ArrayList<>();
          try (H5File file = H5File.create(path, ranks, options)) {
            Dataset data =
                file.createDataset(
                    "/data", DatasetSpec.of(Datatype.I32, Shape.of(4 * chunks)).sparse(4));
            data.write(
                rank == 0 ? Selection.all() : Selection.none(),
                new int[rank == 0 ? 4 * chunks : 0]);
            file.flush();
            Dataset own = data.independent();
            for (int i = 0; i < 2; i++) {
              Random random = new Random(i);
              threads.add(
                  Thread.ofPlatform()
                      .uncaughtExceptionHandler((_, e) -> failures.add(e))
                      .start(() -> {
                        while (!done.get()) {
                          var unused = own.readInts(Selection.at(4L * random.nextInt(chunks)));
                        }
                      }));
            }
            try {
              for (int round = 1; round <= ROUNDS; round++) {
                // Every second element of the chunks of a rank; the others must not change.
                Selection part = Selection.at(8L * (round % 6) + 4L * rank + 1);
                data.write(part, new int[] {round});
                file.flush();
              }
            } finally {
              done.set(true);
              threads.forEach(IndependentReadsTest::join);
            }
            assertEquals(4 * chunks, data.defined(Selection.all()).count(data.shape()));
          }
          assertEquals(0, failures.size(), () -> "a reader failed: " + failures.peek());
        });
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
