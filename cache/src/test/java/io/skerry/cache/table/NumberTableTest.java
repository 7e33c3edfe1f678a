package io.skerry.cache.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.WorkerPool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class NumberTableTest {
  /** An item that equals no other item, so that tests can identify objects. */
  private static final class Item implements NumberTable.Numbered {
    final long number;

    Item(long number) {
      this.number = number;
    }

    @Override
    public long number() {
      return number;
    }
  }

  private static final Item ABSENT = new Item(7);

  @Test
  void the_number_that_marks_absence_can_be_the_number_of_an_entry() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    assertSame(ABSENT, table.get(7));
    Item seven = new Item(7);
    assertSame(seven, table.putIfAbsent(seven));
    assertSame(seven, table.get(7));
    assertThrows(IllegalArgumentException.class, () -> table.putIfAbsent(ABSENT));
    assertFalse(table.remove(ABSENT));
  }

  @Test
  void an_entry_is_removed_by_identity_only() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    Item first = table.putIfAbsent(new Item(1));
    Item second = new Item(1);
    assertSame(first, table.putIfAbsent(second));
    assertFalse(table.remove(second));
    assertSame(first, table.get(1));
    assertTrue(table.remove(first));
    assertFalse(table.remove(first));
    assertSame(ABSENT, table.get(1));
    assertSame(second, table.putIfAbsent(second));
  }

  @Test
  void every_number_can_be_used() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    for (long number : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
      assertSame(ABSENT, table.get(number));
      Item item = new Item(number);
      table.putIfAbsent(item);
      assertSame(item, table.get(number));
    }
    assertEquals(5, table.size());
    table.clear();
    assertEquals(0, table.size());
    assertSame(ABSENT, table.get(0));
  }

  @Test
  void random_operations_agree_with_a_map() {
    for (int seed = 0; seed < 60; seed++) {
      compareWithMap(new Random(seed), 1 + seed * seed * 4);
    }
  }

  /**
   * Compares a table with a map in phases of mostly puts or mostly removals, so that the table
   * grows, changes and shrinks.
   */
  private static void compareWithMap(Random random, int numbers) {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    Map<Long, Item> map = new HashMap<>();
    for (int phase = 0; phase < 6; phase++) {
      int putsOfTen = 1 + random.nextInt(9);
      for (int step = 0; step < 3 * numbers; step++) {
        long number = (long) random.nextInt(numbers) << (numbers & 31);
        Item there = map.getOrDefault(number, ABSENT);
        assertSame(there, table.get(number));
        if (random.nextInt(10) < putsOfTen) {
          Item item = new Item(number);
          assertSame(there == ABSENT ? item : there, table.putIfAbsent(item));
          map.putIfAbsent(number, item);
        } else {
          assertEquals(map.remove(number) != null, there != ABSENT && table.remove(there));
        }
      }
      assertEquals(map.size(), table.size());
      List<Item> seen = new ArrayList<>();
      table.forEach(seen::add);
      assertEquals(map.size(), seen.size());
      assertEquals(new HashSet<>(map.values()), new HashSet<>(seen));
      assertTrue(table.capacity() <= Math.max(16, 17 * Math.max(1, map.size())));
    }
  }

  @Test
  void a_table_with_constant_turnover_stays_small_and_fast() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    for (long i = 0; i < 1_000_000; i++) {
      table.putIfAbsent(new Item(i));
      if (i >= 1000) {
        assertTrue(table.remove(table.get(i - 1000)));
      }
      assertTrue(table.probes(i * 31) < 64);
    }
    assertEquals(1000, table.size());
    assertTrue(table.capacity() <= 8192);
  }

  @Test
  void a_table_shrinks_when_its_entries_are_removed() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      items.add(table.putIfAbsent(new Item(i)));
    }
    assertTrue(table.capacity() >= 200_000);
    items.forEach(table::remove);
    assertEquals(0, table.size());
    assertEquals(16, table.capacity());
  }

  @Test
  void capacity_follows_the_entries_and_has_a_limit() {
    assertEquals(16, NumberTable.slotsFor(0));
    assertEquals(16, NumberTable.slotsFor(5));
    assertEquals(32, NumberTable.slotsFor(6));
    assertEquals(1 << 30, NumberTable.slotsFor(1 << 28));
    assertThrows(IllegalStateException.class, () -> NumberTable.slotsFor((1 << 28) + 1));
  }

  /** Chunk numbers modulo the number of slots would be equal for many chunks of a column. */
  @Test
  void columns_of_chunks_do_not_collide() {
    checkProbes(100, i -> i * 100);
    checkProbes(10_000, i -> i * 100);
    checkProbes(10_000, i -> (i / 100) * 128 + i % 100);
  }

  @Test
  void regular_strides_do_not_collide() {
    for (int shift = 0; shift < 50; shift++) {
      long stride = 1L << shift;
      checkProbes(4096, i -> i * stride);
      checkProbes(4096, i -> i * (stride + 1));
      checkProbes(4096, i -> i * (stride - 1) * 3);
    }
    for (int shift = 6; shift < 57; shift++) {
      int column = shift;
      checkProbes(4096, i -> (i >>> 6 << column) + (i & 63));
    }
  }

  /**
   * Checks that searches take no more probes than for random numbers in a half-full table: by
   * Knuth's formulas 1.5 slots for a number that is present, and 2.5 for one that is not.
   */
  private static void checkProbes(int count, LongUnaryOperator number) {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    Set<Long> numbers = new HashSet<>();
    for (long i = 0; i < count; i++) {
      table.putIfAbsent(new Item(number.applyAsLong(i)));
      numbers.add(number.applyAsLong(i));
    }
    assertEquals(numbers.size(), table.size());
    long hits = 0;
    long most = 0;
    for (long present : numbers) {
      hits += table.probes(present);
      most = Math.max(most, table.probes(present));
    }
    long misses = 0;
    for (long i = count; i < 2L * count; i++) {
      misses += table.probes(number.applyAsLong(i));
    }
    String text = "numbers " + number.applyAsLong(0) + ", " + number.applyAsLong(1) + " ...";
    assertTrue(hits <= 1.7 * numbers.size(), text + ": hits took " + hits);
    assertTrue(misses <= 3.0 * count, text + ": misses took " + misses);
    assertTrue(most <= 64, text + ": longest " + most);
  }

  @Test
  void readers_always_find_what_is_never_removed() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    List<Item> lasting = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      lasting.add(table.putIfAbsent(new Item(3L * i)));
    }
    AtomicBoolean done = new AtomicBoolean();
    Callable<Long> reader =
        () -> {
          long reads = 0;
          // At least once: the writer may have finished before this thread starts.
          do {
            for (Item item : lasting) {
              assertSame(item, table.get(item.number));
              Item other = table.get(item.number + 1);
              assertTrue(other == ABSENT || other.number == item.number + 1);
              reads++;
            }
          } while (!done.get());
          return reads;
        };
    Callable<Long> writer =
        () -> {
          try {
            Random random = new Random(5);
            for (int round = 0; round < 300; round++) {
              List<Item> passing = new ArrayList<>();
              for (int i = 0; i < random.nextInt(4000); i++) {
                passing.add(table.putIfAbsent(new Item(3L * i + 1)));
              }
              Collections.shuffle(passing, random);
              passing.forEach(item -> assertTrue(table.remove(item)));
            }
          } finally {
            done.set(true);
          }
          return 1L;
        };
    try (WorkerPool pool = new WorkerPool(3)) {
      pool.runAll(List.of(writer, reader, reader)).forEach(worked -> assertTrue(worked > 0));
    }
    assertEquals(500, table.size());
  }

  /** Each thread puts and removes entries; other threads see an entry completely or not at all. */
  @Test
  void writers_of_the_same_numbers_agree_on_the_entry() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    int numbers = 64;
    long[] present = new long[numbers];
    Callable<long[]> change =
        () -> {
          Random random = new Random(Thread.currentThread().threadId());
          long[] balance = new long[numbers];
          for (int i = 0; i < 200_000; i++) {
            int number = random.nextInt(numbers);
            Item mine = new Item(number);
            Item there = table.putIfAbsent(mine);
            if (there == mine) {
              balance[number]++;
            } else {
              balance[number] -= table.remove(there) ? 1 : 0;
            }
          }
          return balance;
        };
    try (WorkerPool pool = new WorkerPool(4)) {
      for (long[] balance : pool.runAll(Collections.nCopies(4, change))) {
        for (int i = 0; i < numbers; i++) {
          present[i] += balance[i];
        }
      }
    }
    int entries = 0;
    for (int i = 0; i < numbers; i++) {
      assertEquals(present[i], table.get(i) == ABSENT ? 0 : 1);
      entries += table.get(i) == ABSENT ? 0 : 1;
    }
    assertEquals(entries, table.size());
  }

  @Test
  void a_visit_sees_each_permanent_entry_once_during_changes() {
    NumberTable<Item> table = new NumberTable<>(ABSENT);
    for (int i = 0; i < 100; i++) {
      table.putIfAbsent(new Item(i));
    }
    List<Item> seen = new ArrayList<>();
    table.forEach(item -> {
      seen.add(item);
      assertTrue(table.remove(item));
      table.putIfAbsent(new Item(item.number + 1000));
      table.putIfAbsent(item);
    });
    assertEquals(100, seen.size());
    assertEquals(100, new HashSet<>(seen).size());
    assertEquals(200, table.size());
  }
}
