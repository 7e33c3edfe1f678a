package io.skerry.integration.concurrency;

import io.skerry.integration.concurrency.RanksAndReaders.Plan;
import io.skerry.integration.concurrency.RanksAndReaders.Report;
import io.skerry.mpi.Communicator;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Cases in which threads of several ranks read independently while the ranks write and flush
 * collectively. {@code -Dskerry.readers.seed} (default 1) is the first seed, {@code
 * -Dskerry.readers.seeds} (default 2) the number of seeds, and {@code -Dskerry.readers.steps}
 * (default 40) the number of steps per seed.
 */
public final class IndependentReadsCases implements RankedCases {
  private static final int READERS = 2;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "readers_see_what_was_flushed_and_may_do_nothing_collective",
            IndependentReadsCases::readers));
  }

  private static void readers(Communicator world) throws IOException {
    long first = Long.getLong("skerry.readers.seed", 1);
    long seeds = Long.getLong("skerry.readers.seeds", 2);
    int steps = Integer.getInteger("skerry.readers.steps", 40);
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("read.h5");
      for (long seed = first; seed < first + seeds; seed++) {
        Report report = new RanksAndReaders(world, Plan.of(seed, steps, READERS)).run(path);
        Expect.that(report.reads() >= steps, "reads: " + report);
        Expect.that(report.refused() > 0, "collective calls that were refused: " + report);
        if (world.rank() == 0) {
          System.out.println("seed " + seed + " " + report);
          Files.delete(path);
        }
        world.barrier();
      }
    }
  }
}
