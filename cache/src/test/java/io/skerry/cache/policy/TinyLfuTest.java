package io.skerry.cache.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.EvictionPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TinyLfuTest {
  private static final long EACH = 10;

  /** A cache of a hundred equal chunks, which evicts before it adds. */
  private static final class Cache {
    private final EvictionOrder<Item> order = EvictionOrder.of(EvictionPolicy.TINY_LFU);
    private final Map<Long, Item> resident = new HashMap<>();
    private int misses;

    void access(long number) {
      Item item = resident.get(number);
      if (item != null) {
        order.use(item);
        return;
      }
      misses++;
      if (resident.size() == 100) {
        Item victim = order.nominate().orElseThrow();
        order.evicted(victim);
        resident.remove(victim.number());
      }
      item = new Item(number, EACH);
      order.add(item);
      resident.put(number, item);
    }

    void access(LongStream numbers) {
      numbers.forEach(this::access);
    }

    long residentOf(long from, long to) {
      return LongStream.range(from, to).filter(resident::containsKey).count();
    }
  }

  @Test
  void a_scan_displaces_no_chunk_in_use() {
    Cache cache = new Cache();
    for (int time = 0; time < 4; time++) {
      cache.access(LongStream.range(0, 90));
    }
    cache.access(LongStream.range(1_000, 1_500));
    assertTrue(cache.residentOf(0, 90) >= 89, "resident=" + cache.residentOf(0, 90));
  }

  @Test
  void a_loop_larger_than_the_cache_keeps_most_of_what_fits() {
    Cache cache = new Cache();
    for (int time = 0; time < 20; time++) {
      cache.access(LongStream.range(0, 150));
    }
    cache.misses = 0;
    for (int time = 0; time < 10; time++) {
      cache.access(LongStream.range(0, 150));
    }
    // The best possible result is 50 misses in each iteration.
    assertTrue(cache.misses <= 10 * 65, "misses=" + cache.misses);
  }

  @Test
  void a_chunk_that_is_used_again_soon_stays_however_popular_others_were() {
    Cache cache = new Cache();
    for (int time = 0; time < 50; time++) {
      cache.access(LongStream.range(0, 100));
    }
    cache.misses = 0;
    for (int time = 0; time < 50; time++) {
      cache.access(LongStream.range(1_000, 1_080));
    }
    assertTrue(cache.misses <= 2 * 80, "misses=" + cache.misses);
  }

  @Test
  void chunks_larger_than_the_window_are_admitted_by_their_frequency() {
    EvictionOrder<Item> order = EvictionOrder.of(EvictionPolicy.TINY_LFU);
    order.capacity(1_000);
    Item popular = new Item(1, 600);
    order.add(popular);
    order.use(popular);
    order.use(popular);
    for (long number = 2; number < 50; number++) {
      Item once = new Item(number, 600);
      order.add(once);
      Item victim = order.nominate().orElseThrow();
      assertEquals(once, victim);
      order.evicted(victim);
    }
  }

  @Test
  void a_sketch_never_counts_too_little_before_it_forgets() {
    FrequencySketch sketch = new FrequencySketch();
    sketch.expect(1_000);
    RandomGenerator random = new SplittableRandom(1);
    Map<Long, Integer> truth = new HashMap<>();
    for (int i = 0; i < 9_000; i++) {
      long number = (long) (1_500 * random.nextDouble() * random.nextDouble()) << 32;
      sketch.count(number);
      truth.merge(number, 1, Integer::sum);
    }
    int[] wrong = new int[1];
    truth.forEach((number, count) -> {
      int expected = Math.min(FrequencySketch.MOST, count);
      assertTrue(sketch.estimate(number) >= expected, "number=" + number);
      wrong[0] += sketch.estimate(number) > expected ? 1 : 0;
    });
    assertTrue(wrong[0] <= truth.size() / 20, "wrong=" + wrong[0] + " of " + truth.size());
  }

  @Test
  void a_sketch_that_grows_keeps_what_it_has_counted() {
    FrequencySketch sketch = new FrequencySketch();
    for (long number = 0; number < 40; number++) {
      for (int time = 0; time <= number % 10; time++) {
        sketch.count(number);
      }
    }
    List<Integer> before = new ArrayList<>();
    LongStream.range(0, 40).forEach(number -> before.add(sketch.estimate(number)));
    sketch.expect(100_000);
    List<Integer> after = new ArrayList<>();
    LongStream.range(0, 40).forEach(number -> after.add(sketch.estimate(number)));
    assertEquals(before, after);
  }

  @Test
  void a_sketch_halves_its_counts_after_ten_counts_for_each_number() {
    FrequencySketch sketch = new FrequencySketch();
    sketch.expect(100);
    for (int time = 0; time < 12; time++) {
      sketch.count(7);
    }
    assertEquals(12, sketch.estimate(7));
    for (int time = 0; time < 988; time++) {
      sketch.count(1_000_000 + time % 60);
    }
    assertEquals(6, sketch.estimate(7));
  }
}
