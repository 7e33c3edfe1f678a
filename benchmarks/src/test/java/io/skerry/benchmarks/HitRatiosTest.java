package io.skerry.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skerry.cache.EvictionPolicy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the hit ratios of the eviction policies with those of Caffeine, for the same chunks,
 * sizes and accesses.
 */
class HitRatiosTest {
  private static double caffeine(AccessTrace trace) {
    Cache<Integer, Integer> cache =
        Caffeine.newBuilder()
            .maximumWeight(AccessTrace.CACHE_BYTES)
            .weigher((Integer chunk, Integer bytes) -> bytes)
            .executor(Runnable::run)
            .build();
    int hits = 0;
    int[] chunks = trace.chunks();
    for (int chunk : chunks) {
      if (cache.getIfPresent(chunk) == null) {
        cache.put(chunk, AccessTrace.bytes(chunk));
      } else {
        hits++;
      }
    }
    return (double) hits / chunks.length;
  }

  /** The traces of the mean hit ratio; {@link AccessTrace#ROWS} has a separate test. */
  private static final List<AccessTrace> JUDGED =
      List.of(AccessTrace.SCAN, AccessTrace.ZIPF, AccessTrace.LOOP, AccessTrace.MIXED);

  private static double mean(ToDoubleFunction<AccessTrace> ratios) {
    return JUDGED.stream().mapToDouble(ratios).average().orElseThrow();
  }

  @Test
  void tiny_lfu_is_at_most_two_points_behind_caffeine() {
    System.out.println(HitRatios.heading());
    for (EvictionPolicy policy : EvictionPolicy.values()) {
      System.out.println(HitRatios.line(policy.name(), trace -> HitRatios.of(policy, trace)));
    }
    System.out.println(HitRatios.line("Caffeine", HitRatiosTest::caffeine));
    double ours = mean(trace -> HitRatios.of(EvictionPolicy.TINY_LFU, trace));
    double peer = mean(HitRatiosTest::caffeine);
    System.out.printf(Locale.ROOT, "mean of four: %.2f, Caffeine %.2f%n", 100 * ours, 100 * peer);
    assertTrue(ours >= peer - 0.02, "mean hit ratio: ours=" + ours + " Caffeine=" + peer);
  }

  /** A program that reads a dataset row by row reads each chunk many times, then never again. */
  @ParameterizedTest
  @EnumSource(names = {"LRU", "S3_FIFO", "TINY_LFU"})
  void a_chunk_that_is_read_by_rows_is_loaded_at_most_twice(EvictionPolicy policy) {
    int[] chunks = AccessTrace.ROWS.chunks();
    long different = Arrays.stream(chunks).distinct().count();
    double loads = (1 - HitRatios.of(policy, AccessTrace.ROWS)) * chunks.length;
    assertTrue(loads <= 2 * different, "loads=" + loads + " chunks=" + different);
  }

  @ParameterizedTest
  @EnumSource
  void a_policy_has_the_same_hit_ratio_without_knowing_the_capacity(EvictionPolicy policy) {
    double told = mean(trace -> HitRatios.of(policy, trace));
    double found =
        mean(trace ->
            PolicySimulation.hitRatio(
                policy, trace.chunks(), AccessTrace.CACHE_BYTES, PolicySimulation.Capacity.UNTOLD));
    assertEquals(told, found, 0.01);
  }

  @Test
  void no_policy_hits_chunks_that_were_never_read() {
    int[] once = IntStream.range(0, 5_000).toArray();
    for (EvictionPolicy policy : EvictionPolicy.values()) {
      assertEquals(0, PolicySimulation.hitRatio(policy, once, AccessTrace.CACHE_BYTES));
    }
  }

  @Test
  void the_least_recently_used_order_has_the_hit_ratio_of_a_linked_map() {
    // This trace has few hits between two misses, so the recency buffer drops hardly any of them.
    int[] chunks = AccessTrace.MIXED.chunks();
    LinkedHashMap<Integer, Integer> model = new LinkedHashMap<>(16, 0.75f, true);
    long bytes = 0;
    int hits = 0;
    for (int chunk : chunks) {
      if (model.get(chunk) != null) {
        hits++;
        continue;
      }
      model.put(chunk, AccessTrace.bytes(chunk));
      bytes += AccessTrace.bytes(chunk);
      while (bytes > AccessTrace.CACHE_BYTES) {
        bytes -= model.pollFirstEntry().getValue();
      }
    }
    double expected = (double) hits / chunks.length;
    assertEquals(expected, HitRatios.of(EvictionPolicy.LRU, AccessTrace.MIXED), 0.001);
  }
}
