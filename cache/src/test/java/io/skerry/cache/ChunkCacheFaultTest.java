package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.policy.EvictionPolicy;
import org.junit.jupiter.api.Test;

/**
 * The same as {@link ChunkCacheModelTest} while loads and stores fail and threads are interrupted.
 * How many seeds is said by {@code -Dskerry.cache.fault.seeds}, and one alone by {@code
 * -Dskerry.cache.fault.seed=N}.
 */
class ChunkCacheFaultTest {
  private static final int SEEDS = Integer.getInteger("skerry.cache.fault.seeds", 100);
  private static final long ONLY = Long.getLong("skerry.cache.fault.seed", -1);

  @Test
  void nothingIsLostAndNothingIsLeftOpenWhereMuchGoesWrong() {
    long faults = 0;
    for (long seed = Math.max(0, ONLY); seed < (ONLY < 0 ? SEEDS : ONLY + 1); seed++) {
      EvictionPolicy policy = EvictionPolicy.values()[(int) (seed % 5)];
      ModelRun.Kinds kinds = seed % 3 == 0 ? ModelRun.Kinds.FIXED : ModelRun.Kinds.ALL;
      ModelRun.Setup setup = new ModelRun.Setup(seed, policy, kinds, 4, 6, ModelRun.Mishaps.MANY);
      try (ModelRun run = new ModelRun(setup)) {
        run.operations(600);
        run.check();
        faults += run.trouble().faults();
      }
    }
    assertTrue(faults > 0);
  }
}
