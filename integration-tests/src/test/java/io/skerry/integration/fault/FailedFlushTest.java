package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests operations after a flush that failed before it replaced any block: the space that the flush
 * had allocated is free again, and no chunk is regarded as stored there.
 */
class FailedFlushTest {
  private static final int ROWS = 12;
  private static final int HALF = ROWS / 2;
  private static final int COLUMNS = 256;

  /** Shapes whose datasets have different kinds of chunk indexes. */
  private static final List<Shape> SHAPES =
      List.of(
          Shape.of(ROWS, COLUMNS),
          Shape.of(ROWS, COLUMNS).unlimited(0),
          Shape.of(ROWS, COLUMNS).unlimited(0).unlimited(1));

  @TempDir Path folder;

  private final AtomicInteger failures = new AtomicInteger();

  /** The outcome of a flush in which a file call may fail. */
  private enum Outcome {
    /** The flush failed before it replaced any block. */
    FAILED,
    /** The flush failed after it had begun to replace blocks. */
    BROKEN,
    /** The flush made fewer file calls and succeeded. */
    STORED
  }

  /** The operations after the failed flush. */
  @FunctionalInterface
  private interface Sequel {
    void play(Scene scene);
  }

  /** One rank's view of a file whose flush has failed; the first half of the rows is not stored. */
  private record Scene(Communicator world, H5File file) {
    void write(String name, int from, int to, int salt) {
      Dataset data = file.dataset(name);
      for (int row = from; row < to; row++) {
        boolean mine = row % world.size() == world.rank();
        data.write(mine ? row(row) : Selection.none(), mine ? values(row, salt) : new int[0]);
      }
    }

    /** Evicts as many chunks as possible. */
    void squeeze() {
      file.resizeCache(CacheOptions.standard().withFixedSize(1));
    }
  }

  private static Selection row(int row) {
    return Selection.at(row, 0).extent(1, COLUMNS);
  }

  private static int[] values(int row, int salt) {
    int[] values = new int[COLUMNS];
    Arrays.fill(values, salt + row);
    return values;
  }

  private static DatasetSpec spec(Shape shape) {
    return DatasetSpec.of(Datatype.I32, shape).chunked(1, COLUMNS);
  }

  private static void check(H5File file, String name, int salt) {
    Dataset data = file.dataset(name);
    for (int row = 0; row < ROWS; row++) {
      int at = row;
      assertArrayEquals(values(row, salt), data.readInts(row(row)), () -> name + " row " + at);
    }
  }

  private void afterEachFailure(String checked, int salt, Sequel sequel) {
    for (int ranks : new int[] {1, 3}) {
      for (Shape shape : SHAPES) {
        Outcome outcome = Outcome.FAILED;
        for (int call = 0; outcome == Outcome.FAILED; call++) {
          outcome = afterFailure(ranks, shape, call, sequel, checked, salt);
        }
      }
    }
    assertTrue(failures.get() >= 2 * SHAPES.size(), "flushes that failed: " + failures);
  }

  private Outcome afterFailure(
      int ranks, Shape shape, int call, Sequel sequel, String checked, int salt) {
    Path path = folder.resolve(ranks + "-" + SHAPES.indexOf(shape) + "-" + call + ".h5");
    try {
      return assertTimeoutPreemptively(
          Duration.ofSeconds(60),
          () ->
              LocalRanks.call(
                      ranks, world -> round(world, path, shape, call, sequel, checked, salt))
                  .getFirst());
    } catch (Throwable e) {
      throw new AssertionError(
          "ranks=" + ranks + " shape=" + shape + " call=" + call + ": " + e, e);
    }
  }

  private Outcome round(
      Communicator world,
      Path path,
      Shape shape,
      int failing,
      Sequel sequel,
      String checked,
      int salt) {
    ArmedFault fault = new ArmedFault();
    try (H5File file = H5File.create(path, new ProbedCommunicator(world, fault))) {
      file.createDataset("/data", spec(shape));
      file.flush();
      Scene scene = new Scene(world, file);
      scene.write("/data", 0, HALF, 100);
      fault.arm(world.size() - 1, failing);
      try {
        file.flush();
        return Outcome.STORED;
      } catch (CommitException e) {
        // The journal contains the changes; other tests cover the recovery.
        return Outcome.BROKEN;
      } catch (CollectiveException e) {
        failures.incrementAndGet();
      } finally {
        fault.disarm();
      }
      sequel.play(scene);
      check(file, checked, salt);
      file.flush();
      check(file, checked, salt);
    }
    try (H5File file = H5File.open(path, world)) {
      check(file, checked, salt);
    }
    return Outcome.FAILED;
  }

  @Test
  void chunks_evicted_after_a_failed_flush_do_not_overlap() {
    afterEachFailure(
        "/data",
        100,
        scene -> {
          scene.squeeze();
          scene.write("/data", HALF, ROWS, 100);
        });
  }

  @Test
  void chunks_in_memory_after_a_failed_flush_are_stored_by_the_next() {
    afterEachFailure("/data", 100, scene -> scene.write("/data", HALF, ROWS, 100));
  }

  @Test
  void deleting_a_dataset_after_a_failed_flush_frees_no_block_twice() {
    afterEachFailure(
        "/other",
        200,
        scene -> {
          scene.file().unlink("/data");
          scene.file().createDataset("/other", spec(SHAPES.getFirst()));
          scene.write("/other", 0, ROWS, 200);
          scene.file().flush();
        });
  }

  @Test
  void chunks_placed_by_a_failed_commit_are_not_overwritten_by_later_evictions() {
    int broken = 0;
    Outcome outcome = Outcome.FAILED;
    for (int call = 0; outcome != Outcome.STORED; call++) {
      Path path = folder.resolve("broken-" + call + ".h5");
      int failing = call;
      outcome = LocalRanks.call(1, world -> evictedAsItFails(world, path, failing)).getFirst();
      broken += outcome == Outcome.BROKEN ? 1 : 0;
      LocalRanks.run(
          1,
          world -> {
            try (H5File file = H5File.open(path, world)) {
              // Opening the file completes a commit that failed.
              boolean old = file.dataset("/data").readInts(row(0))[0] == 100;
              check(file, "/data", old ? 100 : 200);
            }
          });
    }
    assertTrue(broken >= 2, "commits that broke: " + broken);
  }

  /** Flushes a file and empties the cache at the moment at which the flush fails. */
  private Outcome evictedAsItFails(Communicator world, Path path, int failing) {
    ArmedFault fault = new ArmedFault();
    FileOptions options = FileOptions.standard().withOverwriting(FileOptions.Overwriting.BY_FLUSH);
    H5File file = H5File.create(path, new ProbedCommunicator(world, fault), options);
    Scene scene = new Scene(world, file);
    file.createDataset("/data", spec(SHAPES.getFirst()));
    scene.write("/data", 0, ROWS, 100);
    file.flush();
    for (int row = ROWS - 1; row >= 0; row--) {
      // Writes the rows in an order other than that in which the flush allocates space.
      scene.write("/data", row, row + 1, 200);
    }
    fault.arm(
        0,
        failing,
        ArmedFault.Calls.WITHOUT_LONE_READS,
        (rank, call) -> {
          scene.squeeze();
          return FileProbe.noSpace(rank, call);
        });
    try {
      file.flush();
      return Outcome.STORED;
    } catch (CommitException e) {
      return Outcome.BROKEN;
    } catch (CollectiveException e) {
      return Outcome.FAILED;
    } finally {
      fault.disarm();
      file.discard();
    }
  }
}
