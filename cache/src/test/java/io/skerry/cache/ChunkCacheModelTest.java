package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads execute all kinds of operations on 20 datasets concurrently, with budgets from one chunk
 * to more than needed, and the results are compared with the possible values of each element.
 * {@code -Dskerry.cache.operations} sets the number of operations of all tests together. {@code
 * -Dskerry.cache.seed=N} repeats a failed run, provided that the threads interleave in the same
 * way.
 */
class ChunkCacheModelTest {
  private static final int OPERATIONS = Integer.getInteger("skerry.cache.operations", 40_000);
  private static final long SEED = Long.getLong("skerry.cache.seed", 1);

  /** Number of operations between two checks. */
  private static final int PER_CHECK = 20_000;

  @ParameterizedTest
  @EnumSource
  void no_write_is_lost_and_no_stale_value_is_read(EvictionPolicy policy) {
    runs(policy, ModelRun.Kinds.ALL, OPERATIONS / 6);
  }

  @Test
  void limits_hold_where_the_sizes_of_chunks_are_known() {
    runs(EvictionPolicy.LRU, ModelRun.Kinds.FIXED, OPERATIONS / 6);
  }

  private static void runs(EvictionPolicy policy, ModelRun.Kinds kinds, int operations) {
    long looks = 0;
    for (int i = 0; i * PER_CHECK < operations; i++) {
      ModelRun.Setup setup =
          new ModelRun.Setup(SEED + i, policy, kinds, 8, 20, ModelRun.Mishaps.NONE);
      try (ModelRun run = new ModelRun(setup)) {
        run.operations(Math.min(PER_CHECK, operations - i * PER_CHECK));
        run.check();
        looks += run.ceiling().looks();
      }
    }
    assertTrue(looks > 0);
  }
}
