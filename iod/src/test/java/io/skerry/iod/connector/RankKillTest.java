package io.skerry.iod.connector;

import io.skerry.iod.engine.InMemory;
import io.skerry.testkit.launch.MpirunLauncher;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills ranks of jobs that write to a container of the embedded engine, see {@link RankKills}. */
class RankKillTest {
  private static final int RUNS = Integer.getInteger("skerry.iod.rank.kills", 2);
  private static final long SEED = Long.getLong("skerry.iod.rank.seed", 5);

  /** The number of runs between two reports. */
  private static final int REPORTED = 5;

  @TempDir(factory = InMemory.class)
  Path folder;

  @Test
  void a_container_opens_at_a_flushed_round_after_a_rank_was_killed() throws Exception {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    Assumptions.assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    RankKills kills =
        new RankKills(mpirun.get(), "iod", folder.resolve("run"), folder.resolve("log"));
    Random random = new Random(SEED);
    for (int run = 0; run < RUNS; run++) {
      kills.run(random, "seed=" + SEED + " run=" + run);
      if ((run + 1) % REPORTED == 0 || run + 1 == RUNS) {
        System.out.println("seed " + SEED + ": " + (run + 1) + " runs, " + kills);
      }
    }
  }
}
