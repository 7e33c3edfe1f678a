package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.Desk;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.Longs;
import io.skerry.cache.request.ReadRequest;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.exception.MemoryLimitException;
import io.skerry.selection.Selection;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvictionTest {
  private static final ChunkFormat FORMAT = Desk.dense(8);
  private static final long CHUNK = Desk.bytes(FORMAT);

  private static CacheOptions exactly(long chunks) {
    return Desk.plain(chunks * CHUNK, chunks * CHUNK);
  }

  /** Returns datasets whose chunks are stored, with none in the cache. */
  private static List<Longs> stored(Desk desk, int datasets, int chunks) {
    List<Longs> all = new ArrayList<>();
    for (int id = 1; id <= datasets; id++) {
      Longs data = desk.row(id, FORMAT, chunks);
      for (int i = 0; i < chunks; i++) {
        data.write(data.chunk(i), id);
      }
      all.add(data);
    }
    desk.flush();
    all.forEach(data -> desk.cache().keyed().forgetStored(data.dataset().id(), Set.of()));
    assertEquals(0, desk.statistics().chunks());
    return all;
  }

  private static void readWhole(Longs data, int from, int to) {
    for (int i = from; i < to; i++) {
      data.read(data.chunk(i));
    }
  }

  private static void readPart(Longs data, int from, int to) {
    for (int i = from; i < to; i++) {
      data.read(data.corner(i));
    }
  }

  private static List<Integer> held(Longs data) {
    List<Integer> held = new ArrayList<>();
    for (int i = 0; i < data.shape().extent(0) / 8; i++) {
      if (data.isHeld(i)) {
        held.add(i);
      }
    }
    return held;
  }

  @Test
  void the_least_recently_used_dataset_is_evicted_first() {
    try (Desk desk = new Desk(exactly(9))) {
      List<Longs> data = stored(desk, 3, 10);
      readWhole(data.get(0), 0, 3);
      readWhole(data.get(1), 0, 3);
      readWhole(data.get(2), 0, 3);
      // A hit makes a dataset recent, as a load does.
      data.get(0).read(data.get(0).chunk(1));
      readWhole(data.get(2), 3, 6);
      assertEquals(List.of(0, 1, 2), held(data.get(0)));
      assertEquals(List.of(), held(data.get(1)));
      readWhole(data.get(2), 6, 8);
      assertEquals(List.of(1), held(data.get(0)));
      desk.check();
    }
  }

  @Test
  void a_use_before_a_chunk_was_loaded_is_less_recent_than_the_chunk() {
    try (Desk desk = new Desk(exactly(4))) {
      Longs data = stored(desk, 1, 10).getFirst();
      readWhole(data, 0, 3);
      readWhole(data, 0, 3);
      readWhole(data, 3, 4);
      readWhole(data, 4, 5);
      assertEquals(List.of(1, 2, 3, 4), held(data));
      desk.check();
    }
  }

  @Test
  void uses_beyond_the_size_of_the_buffer_are_all_counted() {
    try (Desk desk = new Desk(exactly(1000))) {
      Longs data = stored(desk, 1, 1003).getFirst();
      readWhole(data, 0, 1000);
      // In reverse order, so that the last entry added was used least recently.
      for (int i = 999; i >= 0; i--) {
        readWhole(data, i, i + 1);
      }
      readWhole(data, 1000, 1003);
      assertEquals(List.of(996, 1000, 1001, 1002), held(data).subList(996, 1000));
      desk.check();
    }
  }

  @Test
  void a_dataset_keeps_its_minimum_while_others_have_more() {
    try (Desk desk = new Desk(exactly(12).withDatasetMinimum(2 * CHUNK))) {
      List<Longs> data = stored(desk, 3, 50);
      readWhole(data.get(0), 0, 4);
      readWhole(data.get(1), 0, 4);
      readWhole(data.get(2), 0, 50);
      assertEquals(List.of(2, 3), held(data.get(0)));
      assertEquals(List.of(2, 3), held(data.get(1)));
      assertEquals(8, held(data.get(2)).size());
      desk.check();
    }
  }

  @Test
  void minimums_are_given_up_when_memory_is_short_first_by_the_requesting_dataset() {
    try (Desk desk = new Desk(exactly(8).withDatasetMinimum(4 * CHUNK))) {
      List<Longs> data = stored(desk, 2, 20);
      readWhole(data.get(0), 0, 4);
      readWhole(data.get(1), 0, 4);
      data.get(1).read(data.get(1).chunk(4));
      assertEquals(List.of(0, 1, 2, 3), held(data.get(0)));
      assertEquals(List.of(1, 2, 3, 4), held(data.get(1)));
      // A request for six chunks leaves no memory for the minimums of both datasets.
      long[] six = data.get(1).read(Selection.at(80).extent(48));
      assertEquals(48 * 2, Arrays.stream(six).sum());
      assertEquals(List.of(2, 3), held(data.get(0)));
      assertEquals(List.of(10, 11, 12, 13, 14, 15), held(data.get(1)));
      desk.check();
    }
  }

  @Test
  void a_dataset_at_its_minimum_is_evicted_from_again_after_it_has_grown() {
    try (Desk desk = new Desk(exactly(8).withDatasetMinimum(2 * CHUNK))) {
      List<Longs> data = stored(desk, 2, 50);
      readWhole(data.get(0), 0, 4);
      readWhole(data.get(1), 0, 10);
      assertEquals(2, held(data.get(0)).size());
      readWhole(data.get(0), 10, 14);
      assertTrue(held(data.get(0)).size() >= 4);
      readWhole(data.get(1), 20, 40);
      assertEquals(2, held(data.get(0)).size());
      desk.check();
    }
  }

  @Test
  void the_minimum_falls_with_the_number_of_datasets() {
    try (Desk desk = new Desk(exactly(16).withDatasetMinimum(8 * CHUNK))) {
      List<Longs> data = stored(desk, 16, 20);
      readWhole(data.get(0), 0, 16);
      for (int i = 1; i < 16; i++) {
        readWhole(data.get(i), 0, 2);
      }
      for (Longs one : data) {
        assertEquals(1, held(one).size(), "chunks of " + one.dataset());
      }
      desk.check();
    }
  }

  private static Longs partsAndWholes(Desk desk, double preemption, int parts) {
    desk.cache().configure(exactly(8).withPreemption(preemption));
    Longs data = stored(desk, 1, 30).getFirst();
    readPart(data, 0, parts);
    readWhole(data, parts, 8);
    return data;
  }

  @Test
  void with_a_preemption_of_0_only_the_policy_decides() {
    try (Desk desk = new Desk(exactly(8))) {
      Longs data = partsAndWholes(desk, 0, 4);
      readWhole(data, 20, 23);
      assertEquals(List.of(3, 4, 5, 6, 7, 20, 21, 22), held(data));
      desk.check();
    }
  }

  @Test
  void with_a_preemption_of_1_chunks_that_were_used_as_a_whole_are_evicted_first() {
    try (Desk desk = new Desk(exactly(8))) {
      Longs data = partsAndWholes(desk, 1, 4);
      readWhole(data, 20, 22);
      assertEquals(List.of(0, 1, 2, 3, 6, 7, 20, 21), held(data));
      readPart(data, 22, 26);
      assertEquals(List.of(0, 1, 2, 3, 22, 23, 24, 25), held(data));
      // Only chunks used in part are left: the second pass evicts the least recent of them.
      readPart(data, 26, 27);
      assertEquals(List.of(1, 2, 3, 22, 23, 24, 25, 26), held(data));
      desk.check();
    }
  }

  @Test
  void
      with_a_preemption_between_0_and_1_whole_chunks_are_evicted_first_among_the_next_candidates() {
    try (Desk desk = new Desk(exactly(8))) {
      // Among the next four, the last two were used as a whole.
      Longs data = partsAndWholes(desk, 0.5, 2);
      readWhole(data, 20, 22);
      assertEquals(List.of(0, 1, 4, 5, 6, 7, 20, 21), held(data));
    }
    try (Desk desk = new Desk(exactly(8))) {
      // Among the next four, all were used in part.
      Longs data = partsAndWholes(desk, 0.5, 4);
      readWhole(data, 20, 21);
      assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 20), held(data));
      desk.check();
    }
  }

  @Test
  void a_whole_chunk_counts_as_used_in_part_once_a_part_is_used() {
    try (Desk desk = new Desk(exactly(8))) {
      Longs data = partsAndWholes(desk, 1, 0);
      assertTrue(data.peek(0).isPresent());
      data.read(data.corner(1));
      data.write(data.corner(2), 5);
      readWhole(data, 20, 25);
      assertEquals(List.of(0, 1, 2, 20, 21, 22, 23, 24), held(data));
      desk.check();
    }
  }

  @Test
  void a_write_to_part_of_a_chunk_counts_as_a_use_in_part() {
    try (Desk desk = new Desk(exactly(4).withPreemption(1))) {
      Longs data = stored(desk, 1, 10).getFirst();
      int stores = desk.store().count(Act.STORE, data.key(0));
      data.write(data.corner(0), 3);
      data.write(data.chunk(1), 3);
      data.write(data.chunk(2), 3);
      data.write(data.chunk(3), 3);
      readWhole(data, 5, 8);
      assertEquals(List.of(0, 5, 6, 7), held(data));
      assertEquals(stores, desk.store().count(Act.STORE, data.key(0)));
      desk.check();
    }
  }

  @Test
  void a_reader_keeps_a_chunk_that_is_evicted_while_it_reads() {
    try (Desk desk = new Desk(exactly(2))) {
      Longs data = stored(desk, 1, 10).getFirst();
      ReadRequest request =
          data.reading(
              data.chunk(0),
              (slice, chunk) -> {
                desk.cache().configure(Desk.plain(0, 1));
                assertFalse(data.isHeld(0));
                long[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
                assertArrayEquals(
                    ones, data.packed(slice.elements(), chunk).toArray(ValueLayout.JAVA_LONG));
              });
      readWhole(data, 0, 1);
      desk.cache().read(request);
      desk.check();
    }
  }

  @Test
  void a_chunk_that_cannot_be_encoded_for_lack_of_memory_stays_and_does_not_fail_the_write() {
    try (Desk desk = new Desk(Desk.plain(CHUNK, 8 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 4);
      desk.store()
          .before((act, _) -> {
            if (act == Act.ENCODE) {
              throw new OutOfMemoryError("on purpose");
            }
          });
      for (int i = 0; i < 4; i++) {
        data.write(data.chunk(i), i);
      }
      assertEquals(List.of(0, 1, 2, 3), held(data));
      assertThrows(MemoryLimitException.class, () -> desk.cache().configure(Desk.plain(0, 1)));
      assertEquals(List.of(0, 1, 2, 3), held(data));
      desk.store().before((_, _) -> {});
      desk.cache().configure(Desk.plain(0, 1));
      assertEquals(List.of(), held(data));
      long[] threes = {3, 3, 3, 3, 3, 3, 3, 3};
      assertArrayEquals(threes, data.read(data.chunk(3)));
      desk.check();
    }
  }

  /** The number of entries examined for an eviction does not depend on the size of the cache. */
  @Test
  void an_eviction_does_not_visit_all_datasets() {
    int datasets = 10_000;
    try (Desk desk = new Desk(exactly(datasets + 100).withDatasetMinimum(2 * CHUNK))) {
      for (int id = 2; id <= datasets; id++) {
        desk.row(id, FORMAT, 1).read(Selection.all());
      }
      assertFewAreLookedAt(desk, desk.row(1, FORMAT, 8000), 8000);
    }
  }

  @Test
  void an_eviction_does_not_visit_all_chunks_that_are_used_in_part() {
    try (Desk desk = new Desk(exactly(5000).withPreemption(1))) {
      Longs data = desk.row(1, FORMAT, 20_000);
      readPart(data, 0, 6000);
      assertFewAreLookedAt(desk, data, 10_000);
    }
  }

  @Test
  void an_eviction_does_not_visit_all_chunks_that_other_ranks_store() {
    try (Desk desk = new Desk(exactly(5000))) {
      desk.store().keepForOthers(1);
      Longs data = desk.row(1, FORMAT, 6000);
      for (int i = 0; i < 4990; i++) {
        data.write(data.chunk(i), 1);
      }
      assertFewAreLookedAt(desk, desk.row(2, FORMAT, 3000), 3000);
    }
  }

  private static void assertFewAreLookedAt(Desk desk, Longs data, int chunks) {
    long before = desk.cache().evictor().looked();
    long evicted = desk.statistics().evictions();
    for (int i = 0; i < chunks; i++) {
      if (i % 3 == 0) {
        data.read(data.chunk(i));
      } else {
        data.read(data.corner(i));
      }
    }
    long looked = desk.cache().evictor().looked() - before;
    long evictions = desk.statistics().evictions() - evicted;
    assertTrue(evictions > chunks / 4, "evictions " + evictions);
    assertTrue(looked < 140L * chunks, "looked at " + looked + " for " + evictions);
    desk.check();
  }
}
