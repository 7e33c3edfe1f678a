package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.Desk;
import io.skerry.cache.api.Fault;
import io.skerry.cache.api.Gate;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.Longs;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrefetchTest {
  private static final ChunkFormat ROW = Desk.dense(8);
  private static final ChunkFormat SQUARE = Desk.dense(4, 4);
  private static final long CHUNK = Desk.bytes(SQUARE);

  private static CacheOptions options(int chunks) {
    return Desk.plain(chunks * CHUNK, 2 * chunks * CHUNK).withPrefetch(2);
  }

  private static Longs square(Desk desk) {
    Longs data = desk.open(1, SQUARE, Shape.of(40, 40).unlimited(0).unlimited(1));
    data.write(Selection.all(), 1);
    desk.flush();
    desk.cache().keyed().forgetStored(1, Set.of());
    return data;
  }

  private static List<String> held(Longs data) {
    List<String> held = new ArrayList<>();
    data.dataset()
        .chunks()
        .forEach(entry -> held.add(data.dataset().key(entry.number()).chunk().toString()));
    held.sort(null);
    return held;
  }

  private static void walk(Desk desk, Longs data, long[]... chunks) {
    for (long[] chunk : chunks) {
      data.read(data.chunk(chunk));
      desk.settle();
    }
  }

  @Test
  void the_next_chunks_of_a_walk_are_prefetched() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      walk(desk, data, new long[] {0, 0}, new long[] {0, 1});
      assertEquals(List.of("[0, 0]", "[0, 1]"), held(data));
      walk(desk, data, new long[] {0, 2});
      assertEquals(List.of("[0, 0]", "[0, 1]", "[0, 2]", "[0, 3]", "[0, 4]"), held(data));
      assertEquals(2, desk.statistics().prefetched());
      walk(desk, data, new long[] {0, 3});
      assertEquals(3, desk.statistics().prefetched());
      assertTrue(data.isHeld(0, 5));
      desk.check();
    }
  }

  @Test
  void walks_in_any_direction_with_any_step_are_recognized() {
    long[][] steps = {{0, -1}, {1, 0}, {-1, 0}, {1, 1}, {0, 2}, {-2, 1}};
    for (long[] step : steps) {
      try (Desk desk = new Desk(options(100))) {
        Longs data = square(desk);
        long[] at = new long[2];
        for (int i = 0; i < 2; i++) {
          at[i] = step[i] < 0 ? 9 : 0;
        }
        for (int i = 0; i < 3; i++) {
          data.read(data.chunk(at));
          desk.settle();
          at[0] += step[0];
          at[1] += step[1];
        }
        assertTrue(data.isHeld(at), "step " + step[0] + ", " + step[1]);
        assertEquals(2, desk.statistics().prefetched());
        desk.check();
      }
    }
  }

  @Test
  void a_walk_by_several_chunks_at_a_time_is_recognized() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      for (int i = 0; i < 3; i++) {
        data.read(Selection.at(4L * i, 0).extent(4, 20));
        desk.settle();
      }
      assertEquals(10, desk.statistics().prefetched());
      for (int i = 0; i < 5; i++) {
        assertTrue(data.isHeld(3, i) && data.isHeld(4, i));
      }
      desk.check();
    }
  }

  @Test
  void no_chunk_outside_the_extent_is_prefetched() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      walk(desk, data, new long[] {0, 7}, new long[] {0, 8}, new long[] {0, 9});
      walk(desk, data, new long[] {2, 2}, new long[] {1, 2}, new long[] {0, 2});
      assertEquals(0, desk.statistics().prefetched());
      // The last block extends beyond the edge.
      for (int i = 0; i < 3; i++) {
        data.read(Selection.at(20, 12L * i).extent(4, 12));
        desk.settle();
      }
      assertEquals(1, desk.statistics().prefetched());
      desk.check();
    }
  }

  /** The first and the last chunk of an antidiagonal are not the corners of a block. */
  @Test
  void scattered_points_are_not_a_walk() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      for (int i = 0; i < 5; i++) {
        data.read(Selection.points(new long[][] {{4L * i, 36}, {4L * i + 4, 4}}));
        desk.settle();
      }
      assertEquals(0, desk.statistics().prefetched());
      for (String chunk : held(data)) {
        assertTrue(chunk.matches("\\[[0-9], [0-9]\\]"), chunk);
      }
      desk.check();
    }
  }

  @Test
  void a_jump_ends_the_walk() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      walk(desk, data, new long[] {0, 0}, new long[] {0, 1}, new long[] {5, 5}, new long[] {5, 6});
      walk(desk, data, new long[] {8, 8}, new long[] {2, 1});
      assertEquals(0, desk.statistics().prefetched());
      desk.check();
    }
  }

  @Test
  void reads_without_a_ticket_count_as_steps_of_a_walk() {
    try (Desk desk = new Desk(options(64))) {
      Longs data = square(desk);
      int hits = 0;
      for (int row = 0; row < 10; row++) {
        for (int column = 0; column < 10; column++) {
          // Every chunk in four pieces.
          for (int piece = 0; piece < 4; piece++) {
            if (data.peek(row, column).isPresent()) {
              hits++;
            } else {
              data.read(Selection.at(4L * row + piece, 4L * column).extent(1, 4));
            }
          }
          desk.settle();
        }
      }
      assertEquals(100, desk.statistics().loads());
      assertTrue(desk.statistics().prefetched() >= 70, "" + desk.statistics());
      assertTrue(hits >= 300 - 70, "hits " + hits);
      desk.check();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_prefetched_chunk_is_still_in_memory_when_it_is_reached(EvictionPolicy policy) {
    try (Desk desk = new Desk(options(24).withPolicy(policy))) {
      Longs data = square(desk);
      for (int round = 0; round < 3; round++) {
        int before = desk.store().count(Act.LOAD);
        for (int i = 0; i < 10; i++) {
          walk(desk, data, new long[] {i, 0}, new long[] {i, 1}, new long[] {i, 2});
          walk(desk, data, new long[] {i, 3}, new long[] {i, 4}, new long[] {i, 5});
        }
        int loads = desk.store().count(Act.LOAD) - before;
        // Six of each row, and the two prefetched after them.
        assertTrue(loads <= 80, "loads " + loads);
      }
      assertTrue(desk.statistics().prefetched() >= 30, "" + desk.statistics());
      desk.check();
    }
  }

  @Test
  void no_chunk_is_stored_to_make_room_for_prefetching() {
    try (Desk desk = new Desk(Desk.plain(20 * CHUNK, 20 * CHUNK).withPrefetch(2))) {
      Longs data = square(desk);
      Longs other = desk.open(2, SQUARE, Shape.of(80, 4));
      for (int i = 0; i < 17; i++) {
        other.write(other.chunk(i, 0), 1);
      }
      int stores = desk.store().count(Act.STORE);
      walk(desk, data, new long[] {0, 0}, new long[] {0, 1}, new long[] {0, 2});
      assertEquals(stores, desk.store().count(Act.STORE));
      desk.check();
    }
  }

  @Test
  void a_failed_prefetch_is_thrown_to_the_reader_of_the_chunk() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      desk.store().before(Fault.when((_, key) -> key.equals(data.key(0, 4))));
      walk(desk, data, new long[] {0, 0}, new long[] {0, 1}, new long[] {0, 2});
      assertTrue(data.isHeld(0, 3));
      assertFalse(data.isHeld(0, 4));
      desk.check();
      Fault failure = assertThrows(Fault.class, () -> data.read(data.chunk(0, 4)));
      assertTrue(failure.getMessage().contains("act=LOAD"), failure.getMessage());
      desk.store().before((_, _) -> {});
      walk(desk, data, new long[] {0, 4});
      assertTrue(data.isHeld(0, 4));
      desk.check();
    }
  }

  @Test
  void the_memory_of_a_prefetch_is_released_if_an_eviction_after_it_fails() {
    try (Desk desk = new Desk(options(8))) {
      Longs data = square(desk);
      Longs other = desk.open(2, SQUARE, Shape.of(40, 4));
      Gate gate = new Gate(Act.LOAD, data.key(0, 3));
      AtomicBoolean broken = new AtomicBoolean();
      desk.store()
          .before((act, key) -> {
            gate.before(act, key);
            if (broken.get()) {
              throw new AssertionError("on purpose");
            }
            Fault.when((which, _) -> which == Act.ENCODE).before(act, key);
          });
      data.read(data.chunk(0, 0));
      data.read(data.chunk(0, 1));
      data.read(data.chunk(0, 2));
      gate.awaitReached();
      for (int i = 0; i < 9; i++) {
        other.write(other.chunk(i, 0), 1);
      }
      broken.set(true);
      gate.open();
      desk.settle();
      assertEquals(0, desk.cache().prefetcher().coming());
      desk.store().before((_, _) -> {});
      desk.check();
    }
  }

  @Test
  void a_reader_waits_for_a_prefetch_in_progress() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      Gate gate = new Gate(Act.LOAD, data.key(0, 3));
      desk.store().before(gate);
      data.read(data.chunk(0, 0));
      data.read(data.chunk(0, 1));
      data.read(data.chunk(0, 2));
      gate.awaitReached();
      Task<long[]> reader = Task.start(() -> data.read(data.chunk(0, 3))).awaitStill();
      gate.open();
      assertEquals(16, Arrays.stream(reader.get()).sum());
      assertEquals(1, desk.store().count(Act.LOAD, data.key(0, 3)));
      desk.check();
    }
  }

  @Test
  void a_prefetch_in_progress_during_a_shrink_is_discarded() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      Gate gate = new Gate(Act.LOAD, data.key(0, 3));
      desk.store().before(gate);
      data.read(data.chunk(0, 0));
      data.read(data.chunk(0, 1));
      data.read(data.chunk(0, 2));
      gate.awaitReached();
      Task<Boolean> shrinking =
          Task.run(() -> {
            try (var _ = data.dataset().requests().enterAll(Kind.WRITE);
                var _ = desk.cache().holdStores()) {
              data.reshape(desk.store(), Shape.of(40, 10).unlimited(0).unlimited(1));
            }
          });
      shrinking.awaitStill();
      gate.open();
      shrinking.get();
      desk.flush();
      try (var _ = data.dataset().requests().enterAll(Kind.WRITE)) {
        data.reshape(desk.store(), Shape.of(40, 40).unlimited(0).unlimited(1));
      }
      assertArrayEquals(new long[16], data.read(data.chunk(0, 3)));
      assertArrayEquals(
          new long[] {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0}, data.read(data.chunk(0, 2)));
      desk.check();
    }
  }

  @Test
  void no_chunk_is_prefetched_for_a_dataset_that_was_removed_from_the_cache() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      CountDownLatch busy = new CountDownLatch(1);
      for (int i = 0; i < 2; i++) {
        desk.workers().whenIdle(() -> awaitQuietly(busy));
      }
      data.read(data.chunk(0, 0));
      data.read(data.chunk(0, 1));
      data.read(data.chunk(0, 2));
      int loads = desk.store().count(Act.LOAD);
      desk.cache().keyed().forget(1);
      busy.countDown();
      desk.settle();
      assertEquals(loads, desk.store().count(Act.LOAD));
      assertEquals(0, desk.statistics().bytes());
      desk.check();
    }
  }

  @Test
  void a_prefetch_in_progress_is_discarded_with_its_dataset() {
    try (Desk desk = new Desk(options(100))) {
      Longs data = square(desk);
      Gate gate = new Gate(Act.LOAD, data.key(0, 4));
      desk.store().before(gate);
      data.read(data.chunk(0, 0));
      data.read(data.chunk(0, 1));
      data.read(data.chunk(0, 2));
      gate.awaitReached();
      Task<Boolean> forgetting = Task.run(() -> desk.cache().keyed().forget(1)).awaitStill();
      gate.open();
      forgetting.get();
      desk.settle();
      assertEquals(0, desk.statistics().bytes());
      Longs again = desk.open(1, SQUARE, Shape.of(40, 40).unlimited(0).unlimited(1));
      for (int i = 0; i < 10; i++) {
        again.read(again.chunk(1, i));
      }
      desk.check();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void prefetched_chunks_take_at_most_an_eighth_of_the_cache() {
    try (Desk desk = new Desk(options(16).withPrefetch(8))) {
      Longs data = square(desk);
      walk(desk, data, new long[] {0, 0}, new long[] {0, 1}, new long[] {0, 2});
      assertEquals(2, desk.statistics().prefetched());
      desk.check();
    }
    try (Desk desk = new Desk(options(1))) {
      Longs data = desk.row(1, ROW, 20);
      for (int i = 0; i < 20; i++) {
        data.read(data.chunk(i));
        desk.settle();
      }
      assertEquals(0, desk.statistics().prefetched());
      desk.check();
    }
  }
}
