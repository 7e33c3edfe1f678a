package io.skerry.integration.randomprogram;

import io.skerry.mpi.Communicator;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Random programs on any number of ranks. Rank 0 prints {@code digest SEED DIGEST} for each
 * program; the digest must not depend on the number of ranks. {@code -Dskerry.trial.rounds}
 * (default 200) is the number of programs and {@code -Dskerry.trial.seed} (default 20,000) the
 * first seed.
 */
public final class RandomProgramCases implements RankedCases {
  private static final long FIRST_SEED = 20_000;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("random_programs_leave_what_the_model_says", RandomProgramCases::programs));
  }

  private static void programs(Communicator world) throws IOException {
    long first = Long.getLong("skerry.trial.seed", FIRST_SEED);
    long rounds = Long.getLong("skerry.trial.rounds", 200);
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("trial.h5");
      for (long seed = first; seed < first + rounds; seed++) {
        String digest = RandomProgramRun.of(seed).on(world, path);
        if (world.rank() == 0) {
          System.out.println("digest " + seed + " " + digest);
          Files.delete(path);
        }
        world.barrier();
      }
    }
  }
}
