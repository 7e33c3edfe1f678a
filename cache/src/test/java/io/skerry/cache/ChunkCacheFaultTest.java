package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.MemoryStore.Act;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Runs {@link ChunkCacheModelTest} while loads and stores fail and threads are interrupted. {@code
 * -Dskerry.cache.fault.seeds} sets the number of seeds, and {@code -Dskerry.cache.fault.seed=N}
 * selects a single one.
 */
class ChunkCacheFaultTest {
  private static final int SEEDS = Integer.getInteger("skerry.cache.fault.seeds", 25);
  private static final long ONLY = Long.getLong("skerry.cache.fault.seed", -1);

  @Test
  void no_write_is_lost_and_no_request_stays_open_under_random_failures() {
    Map<Act, Long> faults = new EnumMap<>(Act.class);
    long refusals = 0;
    long waits = 0;
    long evictions = 0;
    for (long seed = Math.max(0, ONLY); seed < (ONLY < 0 ? SEEDS : ONLY + 1); seed++) {
      EvictionPolicy policy = EvictionPolicy.values()[(int) (seed % 5)];
      ModelRun.Kinds kinds = seed % 3 == 0 ? ModelRun.Kinds.FIXED : ModelRun.Kinds.ALL;
      ModelRun.Setup setup = new ModelRun.Setup(seed, policy, kinds, 4, 6, ModelRun.Mishaps.MANY);
      try (ModelRun run = new ModelRun(setup)) {
        run.operations(600);
        waits += run.desk.statistics().stalls();
        evictions += run.desk.statistics().evictions();
        run.check();
        for (Act act : Act.values()) {
          faults.merge(act, run.trouble().faults(act), Long::sum);
        }
        refusals += run.trouble().refusals();
      }
    }
    String told =
        "faults="
            + faults
            + " refusals="
            + refusals
            + " waits="
            + waits
            + " evictions="
            + evictions;
    System.out.println(told);
    if (ONLY < 0) {
      assertTrue(faults.values().stream().allMatch(count -> count > 0), told);
      assertTrue(refusals > 0 && waits > 0 && evictions > 0, told);
    }
  }
}
