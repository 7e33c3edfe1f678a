package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.policy.EvictionOrder;
import io.skerry.cache.policy.Item;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the properties that every eviction policy must have. */
class EvictionOrderConformanceTest {
  private static final int SEEDS = 20;
  private static final int STEPS = 20_000;

  /** An order, and plain sets that define its expected contents. */
  private static final class Checked {
    private final Random random;
    private final EvictionOrder<Item> order;
    private final int numbers;
    private final Map<Long, Item> resident = new LinkedHashMap<>();
    private final List<Item> nominated = new ArrayList<>();
    private final List<Item> outside = new ArrayList<>();
    private final Map<Long, Long> evicted = new LinkedHashMap<>();
    private int mostSize;
    private long mostBytes;

    Checked(EvictionPolicy policy, long seed) {
      random = new Random(seed);
      order = EvictionOrder.of(policy);
      numbers = 1 + random.nextInt(200);
    }

    void step() {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4 -> add();
        case 5, 6, 7, 8, 9, 10 -> any(List.copyOf(resident.values())).ifPresent(order::use);
        case 11 -> any(List.copyOf(resident.values())).ifPresent(this::resize);
        case 12 -> any(List.copyOf(resident.values())).ifPresent(this::remove);
        case 13, 14, 15 -> nominate();
        case 16, 17 -> any(nominated).ifPresent(this::evict);
        case 18 -> any(nominated).ifPresent(this::restore);
        default -> rare();
      }
      check();
    }

    private void rare() {
      switch (random.nextInt(4)) {
        case 0 -> order.capacity(random.nextInt(20_000));
        case 1 -> any(nominated).ifPresent(this::remove);
        case 2 -> any(nominated).ifPresent(this::resizeLate);
        default -> any(outside).ifPresent(this::comeLate);
      }
    }

    private Optional<Item> any(List<Item> items) {
      return items.isEmpty()
          ? Optional.empty()
          : Optional.of(items.get(random.nextInt(items.size())));
    }

    /** Returns a random size: many small, few large, and some zero. */
    private long bytes() {
      return (1L << random.nextInt(11)) - 1;
    }

    private void add() {
      long number = random.nextInt(numbers);
      boolean there =
          resident.containsKey(number) || nominated.stream().anyMatch(i -> i.number() == number);
      if (!there) {
        Item item = new Item(number, bytes());
        order.add(item);
        resident.put(number, item);
        evicted.remove(number);
        assertFalse(order.wasEvictedLately(number), "a resident chunk was evicted lately");
      }
    }

    private void resize(Item item) {
      item.resize(bytes());
      order.resized(item);
    }

    /** Resizes a nominated entry; the order does not count its size until it is restored. */
    private void resizeLate(Item item) {
      resize(item);
      order.use(item);
    }

    private void remove(Item item) {
      order.remove(item);
      resident.remove(item.number());
      nominated.remove(item);
      outside.add(item);
    }

    private void nominate() {
      Optional<Item> victim = order.nominate();
      assertEquals(resident.isEmpty(), victim.isEmpty());
      victim.ifPresent(item -> {
        assertSame(item, resident.remove(item.number()));
        nominated.add(item);
      });
    }

    private void evict(Item item) {
      order.evicted(item);
      nominated.remove(item);
      outside.add(item);
      evicted.remove(item.number());
      evicted.put(item.number(), item.bytes());
      assertTrue(order.wasEvictedLately(item.number()), "the last victim is forgotten");
    }

    private void restore(Item item) {
      order.restore(item);
      nominated.remove(item);
      resident.put(item.number(), item);
    }

    private void comeLate(Item item) {
      order.use(item);
      order.resized(item);
      order.remove(item);
      order.restore(item);
      order.evicted(item);
    }

    private void check() {
      long bytes = resident.values().stream().mapToLong(Item::bytes).sum();
      mostSize = Math.max(mostSize, resident.size());
      mostBytes = Math.max(mostBytes, bytes);
      assertEquals(resident.size(), order.size());
      assertEquals(bytes, order.bytes());
      long remembered =
          LongStream.range(0, numbers)
              .filter(order::wasEvictedLately)
              .peek(this::wasEvicted)
              .count();
      assertTrue(remembered <= Math.max(1, mostSize), "remembers " + remembered);
    }

    private void wasEvicted(long number) {
      assertTrue(evicted.containsKey(number), "never evicted: number=" + number);
    }

    void drain() {
      Set<Item> left = new HashSet<>(resident.values());
      for (int i = resident.size(); i > 0; i--) {
        nominate();
      }
      assertEquals(
          left.size(),
          new HashSet<>(nominated.subList(nominated.size() - left.size(), nominated.size()))
              .size());
      assertEquals(Optional.empty(), order.nominate());
      assertEquals(0, order.bytes());
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_order_holds_exactly_the_entries_and_bytes_added(EvictionPolicy policy) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Checked checked = new Checked(policy, seed);
      for (int step = 0; step < STEPS / SEEDS; step++) {
        checked.step();
      }
      checked.drain();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_restored_entry_is_the_next_victim(EvictionPolicy policy) {
    EvictionOrder<Item> order = filled(policy, 100);
    Item first = order.nominate().orElseThrow();
    Item second = order.nominate().orElseThrow();
    order.restore(second);
    order.restore(first);
    assertSame(first, order.nominate().orElseThrow());
    assertSame(second, order.nominate().orElseThrow());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MRU")
  void a_restored_entry_that_is_used_is_not_the_next_victim(EvictionPolicy policy) {
    EvictionOrder<Item> order = filled(policy, 100);
    Item first = order.nominate().orElseThrow();
    order.restore(first);
    order.use(first);
    order.use(first);
    for (int i = 0; i < 50; i++) {
      assertFalse(first == order.nominate().orElseThrow(), "nominated after " + i + " others");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nominated_entries_can_be_removed_and_are_not_remembered(EvictionPolicy policy) {
    EvictionOrder<Item> order = filled(policy, 3);
    Item victim = order.nominate().orElseThrow();
    order.remove(victim);
    order.restore(victim);
    order.evicted(victim);
    assertEquals(2, order.size());
    assertFalse(order.wasEvictedLately(victim.number()));
    order.add(victim);
    assertEquals(3, order.size());
  }

  @ParameterizedTest
  @EnumSource
  void an_entry_cannot_be_added_twice(EvictionPolicy policy) {
    EvictionOrder<Item> order = EvictionOrder.of(policy);
    Item item = new Item(7, 10);
    order.add(item);
    assertThrows(IllegalStateException.class, () -> order.add(item));
    assertSame(item, order.nominate().orElseThrow());
    assertThrows(IllegalStateException.class, () -> order.add(item));
    order.evicted(item);
    order.add(item);
    assertEquals(1, order.size());
  }

  @ParameterizedTest
  @EnumSource
  void the_last_victims_are_remembered_up_to_the_bytes_that_were_held(EvictionPolicy policy) {
    EvictionOrder<Item> order = EvictionOrder.of(policy);
    for (int number = 0; number < 1_000; number++) {
      order.add(new Item(number, 10));
      if (order.size() > 100) {
        order.evicted(order.nominate().orElseThrow());
      }
    }
    long remembered = LongStream.range(0, 1_000).filter(order::wasEvictedLately).count();
    assertEquals(101, remembered);
    order.capacity(500);
    order.evicted(order.nominate().orElseThrow());
    assertEquals(50, LongStream.range(0, 1_000).filter(order::wasEvictedLately).count());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MRU")
  void entries_that_were_popular_long_ago_are_evicted_in_the_end(EvictionPolicy policy) {
    EvictionOrder<Item> order = EvictionOrder.of(policy);
    List<Item> old = new ArrayList<>();
    for (int number = 0; number < 50; number++) {
      old.add(new Item(number, 10));
      order.add(old.getLast());
    }
    for (int time = 0; time < 1_000; time++) {
      old.forEach(order::use);
    }
    Set<Item> resident = new HashSet<>(old);
    for (int round = 0; round < 400; round++) {
      Set<Long> asked = new HashSet<>();
      for (long number = 100; number < 130; number++) {
        asked.add(number);
      }
      for (Item item : List.copyOf(resident)) {
        if (asked.remove(item.number())) {
          order.use(item);
        }
      }
      for (long number : asked) {
        Item item = new Item(number, 10);
        Item victim = order.nominate().orElseThrow();
        order.evicted(victim);
        resident.remove(victim);
        order.add(item);
        resident.add(item);
      }
    }
    long favorites = resident.stream().filter(item -> item.number() >= 100).count();
    assertEquals(30, favorites, "resident=" + resident);
  }

  @ParameterizedTest
  @EnumSource
  void a_negative_capacity_is_refused(EvictionPolicy policy) {
    EvictionOrder<Item> order = EvictionOrder.of(policy);
    assertThrows(IllegalArgumentException.class, () -> order.capacity(-1));
    order.capacity(0);
    order.add(new Item(1, 10));
    assertTrue(order.nominate().isPresent());
  }

  private static EvictionOrder<Item> filled(EvictionPolicy policy, int count) {
    EvictionOrder<Item> order = EvictionOrder.of(policy);
    for (int number = 0; number < count; number++) {
      order.add(new Item(number, 10));
    }
    return order;
  }
}
