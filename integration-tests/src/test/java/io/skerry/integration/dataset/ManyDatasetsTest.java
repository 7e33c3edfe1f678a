package io.skerry.integration.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.launch.ChildProgram;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that sessions which create or visit very many datasets use memory only for datasets that
 * are still open.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class ManyDatasetsTest {
  private static final int DATASETS = Integer.getInteger("skerry.datasets", 6_000);

  /** The heap limit of the process that has the file open, for any number of datasets. */
  private static final String HEAP = "-Xmx512m";

  /**
   * Number of datasets after which the heap is first measured; a limited number stays in memory.
   */
  private static final int FIRST = DATASETS / 3;

  /**
   * Number of datasets between two flushes, at most 10,000: the datasets that were written since
   * the last flush are in memory on each rank, and all ranks are in one process.
   */
  private static final int PER_FLUSH = Math.min(DATASETS / 12, 10_000);

  /** Limit of the heap bytes per dataset that is not open, on each rank. */
  private static final long MOST_PER_DATASET = 200;

  /** Heap bytes on each rank of closed datasets that are not released yet, at most about 2,000. */
  private static final long WAITING = 6L << 20;

  @TempDir Path folder;

  /** One rank alone is tested with {@code -Pslow} only, since each of two ranks does the same. */
  static int[] rankNumbers() {
    return Boolean.getBoolean("skerry.thorough") ? new int[] {1, 2} : new int[] {2};
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  void datasets_that_are_not_open_take_no_memory(int ranks) throws InterruptedException {
    ChildProgram.Ended ended =
        ChildProgram.of(ManyDatasetsTest.class, folder.resolve("many.h5"), ranks)
            .withJvmOptions(HEAP, "-Dskerry.datasets=" + DATASETS)
            .run(folder, "log", Duration.ofMinutes(59));
    System.out.print(ended.output());
    assertEquals(0, ended.exitCode(), ended.output());
  }

  /**
   * Creates and visits the datasets in a separate process with a limited heap.
   *
   * @param arguments the file and the number of ranks
   */
  public static void main(String[] arguments) {
    Path path = Path.of(arguments[0]);
    int ranks = Integer.parseInt(arguments[1]);
    LocalRanks.run(ranks, world -> create(path, world));
    LocalRanks.run(ranks, world -> visit(path, world));
  }

  private static void create(Path path, Communicator world) {
    try (H5File file = H5File.create(path, world)) {
      Dataset kept = file.createDataset("/kept", spec(0));
      Growth growth = new Growth(world, "created");
      for (int i = 0; i < DATASETS; i++) {
        Dataset dataset = file.createDataset(name(i), spec(i));
        dataset.setAttribute(
            "number",
            Datatype.I32,
            Shape.scalar(),
            List.of(new Value.Whole(BigInteger.valueOf(i))));
        if (world.rank() == 0) {
          dataset.write(Selection.at(i % 7).extent(2), new int[] {i, -i});
        } else {
          dataset.write(Selection.none(), new int[0]);
        }
        if (i % PER_FLUSH == PER_FLUSH - 1) {
          file.flush();
        }
        growth.done(i);
      }
      kept.write(Selection.at(3).extent(1), new int[] {17});
      // Reopens and writes a dataset that was released.
      Dataset again = file.dataset(name(5));
      again.write(Selection.at(0).extent(1), new int[] {99});
      file.flush();
      assertArrayEquals(new int[] {17}, kept.readInts(Selection.at(3).extent(1)));
    }
  }

  private static void visit(Path path, Communicator world) {
    try (H5File file = H5File.open(path, world)) {
      Growth growth = new Growth(world, "opened");
      for (int i = 0; i < DATASETS; i++) {
        Dataset dataset = file.dataset(name(i));
        assertArrayEquals(
            new int[] {i, -i}, dataset.readInts(Selection.at(i % 7).extent(2)), name(i));
        assertEquals(
            List.of(new Value.Whole(BigInteger.valueOf(i))),
            dataset.attribute("number").orElseThrow().values(file.contents()));
        growth.done(i);
      }
      assertArrayEquals(new int[] {99}, file.dataset(name(5)).readInts(Selection.at(0).extent(1)));
      assertArrayEquals(new int[] {17}, file.dataset("/kept").readInts(Selection.at(3).extent(1)));
    }
  }

  private static String name(int number) {
    return "/d" + number;
  }

  private static DatasetSpec spec(int number) {
    DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(64));
    return switch (number % 3) {
      case 0 -> plain.sparse(16);
      case 1 -> plain.chunked(16);
      default -> plain;
    };
  }

  /** Measures the growth of the heap with the number of datasets. */
  private static final class Growth {
    private final Communicator world;
    private final String what;
    private final AtomicLong first = new AtomicLong();

    Growth(Communicator world, String what) {
      this.world = world;
      this.what = what;
    }

    /** Measures the heap if enough datasets have been processed. */
    void done(int number) {
      if (number % 1000 == 999 && world.rank() == 0) {
        // The JVM itself would collect only when memory is short.
        System.gc();
      }
      if (number == FIRST || number == DATASETS - 1) {
        world.barrier();
        if (world.rank() == 0) {
          look(number);
        }
        world.barrier();
      }
    }

    private void look(int number) {
      long bytes = liveBytes();
      if (number == FIRST) {
        first.set(bytes);
        return;
      }
      long kept = (bytes - first.get()) / world.size() - WAITING;
      long each = Math.max(0, kept) / (number - FIRST);
      System.out.printf(
          "%,d datasets %s on %d ranks: each rank keeps %,d bytes more than after %,d%n",
          DATASETS, what, world.size(), kept + WAITING, FIRST);
      assertTrue(
          each < MOST_PER_DATASET, () -> "bytes of heap kept per dataset " + what + ": " + each);
    }

    /** Returns the heap bytes in use after garbage collection. */
    private static long liveBytes() {
      Runtime runtime = Runtime.getRuntime();
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 3; i++) {
        System.gc();
        least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
      }
      return least;
    }
  }
}
