package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests large collective writes of whole chunks in several rounds. */
class OverlappedRoundsTest {
  private static final int ROWS = 64;
  private static final int COLUMNS = 1024;
  private static final int RANKS = 2;

  /** Options with rounds of four 4 KiB chunks. */
  private static final FileOptions OPTIONS =
      FileOptions.standard().withAheadLimit(1).withRoundLimit(16 << 10).withWorkers(3);

  @TempDir Path folder;

  private static DatasetSpec spec() {
    return DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS))
        .chunked(1, COLUMNS)
        .filters(Filters.shuffle(), Filters.deflate(1));
  }

  private static int[] values(int rank) {
    int[] values = new int[ROWS / RANKS * COLUMNS];
    Arrays.setAll(values, i -> i % 1000 * (rank + 1));
    return values;
  }

  private static Selection part(int rank) {
    return Selection.at((long) rank * ROWS / RANKS, 0).extent(ROWS / RANKS, COLUMNS);
  }

  @Test
  void the_elements_of_all_rounds_are_stored() {
    Path path = folder.resolve("rounds.h5");
    AtomicInteger writes = new AtomicInteger();
    FileProbe counting = (rank, call, _, _) -> count(call, writes);
    LocalRanks.run(
        RANKS,
        world -> {
          try (H5File file =
              H5File.create(path, new ProbedCommunicator(world, counting), OPTIONS)) {
            Dataset data = file.createDataset("/d", spec());
            data.write(part(world.rank()), values(world.rank()));
          }
        });
    assertTrue(writes.get() >= RANKS * 8, "writes=" + writes);
    try (H5File file = H5File.open(path)) {
      for (int rank = 0; rank < RANKS; rank++) {
        assertArrayEquals(values(rank), file.dataset("/d").readInts(part(rank)));
      }
    }
  }

  private static Optional<MpiException> count(FileCall call, AtomicInteger writes) {
    if (call == FileCall.WRITE) {
      writes.incrementAndGet();
    }
    return Optional.empty();
  }

  @Test
  void a_failed_round_leaves_no_task_behind_and_the_next_write_succeeds() {
    for (int failing = 0; failing < 10; failing++) {
      int fails = failing;
      Path path = folder.resolve("fails" + failing + ".h5");
      LocalRanks.run(
          RANKS,
          world -> {
            AtomicInteger writes = new AtomicInteger();
            AtomicBoolean armed = new AtomicBoolean();
            FileProbe probe =
                new FileProbe() {
                  @Override
                  public Optional<MpiException> before(
                      int rank, FileCall call, FileView view, MemorySegment data) {
                    boolean counts = armed.get() && call == FileCall.WRITE;
                    return counts && writes.getAndIncrement() == fails && rank == 1
                        ? Optional.of(FileProbe.noSpace(rank, call))
                        : Optional.empty();
                  }
                };
            try (H5File file = H5File.create(path, new ProbedCommunicator(world, probe), OPTIONS)) {
              Dataset data = file.createDataset("/d", spec());
              file.flush();
              armed.set(true);
              boolean failed = false;
              int[] values = values(world.rank());
              try {
                data.write(part(world.rank()), values);
              } catch (CollectiveException e) {
                failed = true;
                // No task may still encode values of this array.
                Arrays.fill(values, -1);
              }
              armed.set(false);
              assertTrue(failed == (fails < 8), "failing=" + fails);
              data.write(part(world.rank()), values(world.rank()));
            }
          });
      try (H5File file = H5File.open(path)) {
        for (int rank = 0; rank < RANKS; rank++) {
          assertArrayEquals(values(rank), file.dataset("/d").readInts(part(rank)));
        }
      }
    }
  }
}
