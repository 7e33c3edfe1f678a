package io.skerry.cache.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.Task;
import io.skerry.cache.api.Desk;
import io.skerry.cache.api.Fault;
import io.skerry.cache.api.Gate;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.ChangeRequest;
import io.skerry.cache.request.Longs;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StoringTest {
  private static final ChunkFormat FORMAT = Desk.dense(8);
  private static final long CHUNK = Desk.bytes(FORMAT);

  private static void writeAll(Longs data, int chunks) {
    for (int i = 0; i < chunks; i++) {
      data.write(data.chunk(i), i + 1);
    }
  }

  private static void assertWritten(Longs data, int chunks) {
    for (int i = 0; i < chunks; i++) {
      assertEquals(i + 1, data.read(data.corner(i))[0], "chunk " + i);
    }
  }

  @Test
  void a_dirty_chunk_is_stored_before_it_is_evicted() {
    try (Desk desk = new Desk(Desk.plain(2 * CHUNK, 4 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 20);
      writeAll(data, 20);
      assertTrue(desk.statistics().bytes() <= 2 * CHUNK);
      assertEquals(18, desk.store().count(Act.STORE));
      assertWritten(data, 20);
      desk.check();
    }
  }

  @Test
  void a_chunk_that_cannot_be_stored_stays_and_a_later_flush_stores_it() {
    try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 8 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 40);
      desk.store().before(Fault.when((act, _) -> act == Act.STORE));
      int written = 0;
      while (written < 40) {
        try {
          data.write(data.chunk(written), written + 1);
          written++;
        } catch (Fault e) {
          break;
        }
      }
      assertEquals(8, written, "as many as fit, and no more");
      assertWritten(data, written);
      assertFalse(desk.store().isStored(data.key(0)));
      desk.check();
      desk.store().before((_, _) -> {});
      desk.flush();
      for (int i = 0; i < written; i++) {
        assertTrue(desk.store().isStored(data.key(i)), "chunk " + i);
      }
      desk.cache().trim();
      assertWritten(data, written);
      desk.check();
    }
  }

  @Test
  void a_completed_request_does_not_fail_when_other_chunks_cannot_be_stored_afterwards() {
    try (Desk desk = new Desk(Desk.plain(0, 8 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 4);
      desk.store().before(Fault.when((act, _) -> act == Act.ENCODE));
      data.write(data.chunk(0), 1);
      assertEquals(1, data.read(data.corner(0))[0]);
      assertThrows(Fault.class, desk.cache()::trim);
      desk.store().before((_, _) -> {});
      desk.cache().trim();
      assertEquals(0, desk.statistics().chunks());
      assertWritten(data, 1);
      desk.check();
    }
  }

  @Test
  void lower_limits_report_a_chunk_that_cannot_be_stored_and_are_in_force() {
    for (Act act : List.of(Act.ENCODE, Act.STORE)) {
      try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 8 * CHUNK))) {
        Longs data = desk.row(1, FORMAT, 4);
        desk.store().before(Fault.when((done, key) -> done == act && key.equals(data.key(1))));
        writeAll(data, 4);
        assertThrows(Fault.class, () -> desk.cache().configure(Desk.plain(0, 8 * CHUNK)));
        assertEquals(0, desk.cache().options().quiescent());
        assertWritten(data, 4);
        desk.check();
        desk.store().before((_, _) -> {});
        desk.cache().configure(Desk.plain(0, 8 * CHUNK));
        assertEquals(0, desk.statistics().chunks());
        assertWritten(data, 4);
        desk.check();
      }
    }
  }

  @Test
  void a_chunk_that_cannot_be_stored_does_not_fail_a_request_for_which_other_evictions_suffice() {
    try (Desk desk = new Desk(Desk.plain(3 * CHUNK, 3 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 10);
      desk.store().before(Fault.when((act, key) -> act == Act.ENCODE && key.equals(data.key(0))));
      data.write(data.chunk(0), 1);
      for (int i = 1; i < 10; i++) {
        data.read(data.chunk(i));
      }
      for (int i = 1; i < 10; i++) {
        data.write(data.chunk(i), i + 1);
      }
      assertTrue(desk.statistics().bytes() <= 3 * CHUNK);
      assertWritten(data, 10);
      desk.check();
    }
  }

  @Test
  void a_chunk_that_cannot_be_stored_does_not_keep_the_chunks_beside_it_from_being_stored() {
    try (Desk desk = new Desk(Desk.plain(3 * CHUNK, 3 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 5);
      desk.store().before(Fault.when((act, key) -> act == Act.ENCODE && key.equals(data.key(0))));
      for (int i = 0; i < 3; i++) {
        data.write(data.chunk(i), i + 1);
      }
      // Two chunks must be evicted at once: the first cannot be stored, but memory suffices.
      assertArrayEquals(new long[16], data.read(Selection.at(24).extent(16)));
      assertTrue(desk.statistics().bytes() <= 3 * CHUNK);
      assertWritten(data, 3);
      desk.check();
    }
  }

  @Test
  void a_thread_that_is_interrupted_while_others_store_gives_up() {
    try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 4 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 12);
      writeAll(data, 4);
      Gate gate = new Gate(Act.STORE, data.key(0));
      desk.store().before(gate);
      Task<long[]> first = Task.start(() -> data.read(Selection.at(32).extent(16)));
      gate.awaitReached();
      Task<long[]> second = Task.start(() -> data.read(Selection.at(48).extent(16))).awaitStill();
      second.interrupt();
      assertInstanceOf(RequestInterruptedException.class, second.failure());
      gate.open();
      first.get();
      desk.check();
    }
  }

  /**
   * If an interrupt ended the wait, a file could be closed without its last flush, or a write could
   * be published in part.
   */
  @Test
  void blocking_stores_waits_for_running_stores_even_if_the_thread_is_interrupted() {
    try (Desk desk = new Desk(Desk.plain(0, 8 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 4);
      for (Supplier<ChunkCache.Quiesced> still :
          List.<Supplier<ChunkCache.Quiesced>>of(
              desk.cache()::holdStores, () -> desk.cache().quiet(Kind.READ))) {
        desk.store().before(Fault.when((act, _) -> act == Act.STORE));
        data.write(data.chunk(0), 1);
        Gate gate = new Gate(Act.STORE, data.key(0));
        desk.store().before(gate);
        // A trimming thread holds only the store lock.
        Task<Boolean> storing = Task.run(desk.cache()::trim);
        gate.awaitReached();
        Task<Boolean> waiting = Task.run(() -> still.get().close()).awaitStill();
        waiting.interrupt();
        assertFalse(waiting.awaitStill().isDone());
        gate.open();
        storing.get();
        waiting.get();
      }
      desk.check();
    }
  }

  @Test
  void two_threads_that_trim_do_not_evict_the_same_excess_twice() {
    try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 8 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 8);
      desk.store().before(Fault.when((act, _) -> act == Act.STORE));
      writeAll(data, 6);
      Gate gate = new Gate(Act.STORE, data.key(0));
      desk.store().before(gate);
      Task<Boolean> first = Task.run(desk.cache()::trim);
      gate.awaitReached();
      Task<Boolean> second = Task.run(desk.cache()::trim).awaitStill();
      gate.open();
      first.get();
      second.get();
      assertEquals(2, desk.statistics().evictions());
      assertEquals(4, desk.statistics().chunks());
      desk.check();
    }
  }

  @Test
  void a_request_that_needs_memory_waits_for_stores_in_progress() {
    try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 4 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 12);
      writeAll(data, 4);
      Gate gate = new Gate(Act.STORE, data.key(0));
      desk.store().before(gate);
      Task<long[]> first = Task.start(() -> data.read(Selection.at(32).extent(16)));
      gate.awaitReached();
      Task<long[]> second = Task.start(() -> data.read(Selection.at(48).extent(16))).awaitStill();
      assertFalse(second.isDone());
      assertTrue(desk.statistics().bytes() <= 4 * CHUNK);
      gate.open();
      first.get();
      second.get();
      desk.check();
    }
  }

  /** A chunk is stored by an eviction before the flush examines it, or only by the flush. */
  @Test
  void a_flush_and_evictions_exclude_each_other() {
    try (Desk desk = new Desk(Desk.plain(2 * CHUNK, 4 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 16);
      AtomicBoolean done = new AtomicBoolean();
      Task<Boolean> writer =
          Task.run(() -> {
            for (int round = 0; round < 400; round++) {
              writeAll(data, 16);
            }
            done.set(true);
          });
      int flushes = 0;
      while (!done.get() && !writer.isDone()) {
        desk.flush();
        flushes++;
      }
      writer.get();
      assertTrue(flushes > 0);
      assertWritten(data, 16);
      desk.check();
    }
  }

  @Test
  void a_flush_is_complete_while_images_are_made_in_advance() {
    ChunkFormat format = Desk.filtered(64);
    long chunk = Desk.bytes(format);
    try (Desk desk = new Desk(Desk.plain(16 * chunk, 32 * chunk))) {
      Longs data = desk.row(1, format, 16);
      for (int round = 0; round < 300; round++) {
        writeAll(data, 16);
        desk.flush();
      }
      desk.check();
    }
  }

  @Test
  void no_chunk_is_stored_while_the_cache_is_quiesced_and_the_excess_is_evicted_afterwards() {
    try (Desk desk = new Desk(Desk.plain(2 * CHUNK, 4 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 8);
      writeAll(data, 2);
      Task<Boolean> writer;
      try (var _ = desk.cache().quiet(Kind.WRITE)) {
        writer = Task.run(() -> writeAll(data, 8)).awaitStill();
        assertFalse(writer.isDone());
        desk.cache().writeHolding(List.of(data.writing(data.chunk(3), 1)), () -> {});
        desk.cache().writeHolding(List.of(data.writing(data.chunk(4), 1)), () -> {});
        desk.cache().writeHolding(List.of(data.writing(data.chunk(5), 1)), () -> {});
      }
      writer.get();
      assertWritten(data, 8);
      assertTrue(desk.statistics().bytes() <= 2 * CHUNK);
      desk.check();
    }
  }

  @Test
  void a_write_whose_action_before_publication_fails_has_no_effect() {
    // The second write is larger than the cache.
    for (int chunks : new int[] {2, 6}) {
      try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 4 * CHUNK))) {
        Longs data = desk.row(1, FORMAT, 6);
        writeAll(data, 6);
        Selection some = Selection.at(0).extent(chunks * 8L);
        List<ChangeRequest> requests = List.of(data.writing(some, 100));
        assertThrows(
            IllegalStateException.class,
            () ->
                desk.cache()
                    .writeHolding(
                        requests,
                        () -> {
                          throw new IllegalStateException("as the test wants");
                        }));
        assertWritten(data, 6);
        AtomicInteger runs = new AtomicInteger();
        desk.cache().writeHolding(requests, runs::incrementAndGet);
        assertEquals(1, runs.get());
        assertEquals(100, data.read(data.corner(chunks - 1))[0]);
        desk.check();
      }
    }
  }

  @Test
  void chunks_that_other_ranks_store_stay_until_they_are_stored() {
    try (Desk desk = new Desk(Desk.plain(2 * CHUNK, 4 * CHUNK))) {
      desk.store().keepForOthers(1);
      Longs data = desk.row(1, FORMAT, 16);
      writeAll(data, 16);
      assertEquals(16, desk.statistics().chunks());
      assertEquals(0, desk.store().count(Act.STORE));
      assertWritten(data, 16);
      desk.flush();
      assertTrue(desk.statistics().bytes() <= 2 * CHUNK);
      assertWritten(data, 16);
      assertTrue(desk.statistics().bytes() <= 2 * CHUNK);
      desk.check();
    }
  }

  @Test
  void a_dataset_that_was_removed_from_the_cache_is_not_stored_afterwards() {
    try (Desk desk = new Desk(Desk.plain(0, 8 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 4);
      Gate gate = new Gate(Act.STORE, data.key(0));
      desk.store().before(gate);
      Task<Boolean> writer = Task.run(() -> data.write(data.chunk(0), 1));
      gate.awaitReached();
      Task<Boolean> forgetting =
          Task.run(() -> {
            desk.cache().keyed().forget(1);
            desk.store().removeIf(key -> key.dataset() == 1);
          });
      forgetting.awaitStill();
      gate.open();
      writer.get();
      forgetting.get();
      assertFalse(desk.store().isStored(data.key(0)));
      desk.check();
    }
  }

  @Test
  void a_chunk_without_defined_elements_is_deleted() {
    ChunkFormat format = Desk.sparse(8);
    try (Desk desk = new Desk(Desk.plain(0, 1000))) {
      Longs data = desk.row(1, format, 2);
      data.write(Selection.at(3), 4);
      assertTrue(desk.store().isStored(data.key(0)));
      data.erase(Selection.at(3));
      assertFalse(desk.store().isStored(data.key(0)));
      assertArrayEquals(new long[16], data.read(Selection.all()));
      desk.check();
    }
  }
}
