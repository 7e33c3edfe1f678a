package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.Desk;
import io.skerry.cache.api.Fault;
import io.skerry.cache.api.Gate;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.Longs;
import io.skerry.cache.table.Entry;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DefinedTest {
  private static final ChunkFormat FORMAT = Desk.sparse(8);
  private static final Selection FIRST = Selection.at(0).extent(8);

  private static Longs stored(Desk desk) {
    Longs data = desk.row(1, FORMAT, 4);
    data.write(Selection.at(2).extent(3), 7);
    desk.flush();
    desk.cache().keyed().forgetStored(1, Set.of());
    return data;
  }

  private static boolean[] marks(int... defined) {
    boolean[] marks = new boolean[8];
    for (int i : defined) {
      marks[i] = true;
    }
    return marks;
  }

  @Test
  void only_the_section_of_defined_elements_is_read_and_kept() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = stored(desk);
      int loads = desk.store().count(Act.LOAD);
      assertArrayEquals(marks(2, 3, 4), data.defined(FIRST));
      assertArrayEquals(marks(2, 3, 4), data.defined(FIRST));
      assertEquals(loads, desk.store().count(Act.LOAD));
      assertEquals(1, desk.store().count(Act.LOCATE, data.key(0)));
      CacheStatistics said = desk.statistics();
      assertEquals(1, said.located());
      assertEquals(1, said.chunks());
      desk.check();
    }
  }

  @Test
  void a_read_of_values_loads_the_chunk_in_place_of_its_section() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = stored(desk);
      int loads = desk.store().count(Act.LOAD);
      data.defined(FIRST);
      assertArrayEquals(new long[] {0, 0, 7, 7, 7, 0, 0, 0}, data.read(FIRST));
      assertArrayEquals(marks(2, 3, 4), data.defined(FIRST));
      assertEquals(loads + 1, desk.store().count(Act.LOAD));
      assertEquals(1, desk.statistics().chunks());
      desk.check();
    }
  }

  @Test
  void a_write_and_an_erasure_replace_the_known_elements() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = stored(desk);
      data.defined(FIRST);
      data.write(Selection.at(7), 1);
      assertArrayEquals(marks(2, 3, 4, 7), data.defined(FIRST));
      data.erase(Selection.at(3));
      assertArrayEquals(marks(2, 4, 7), data.defined(FIRST));
      desk.flush();
      desk.cache().keyed().forgetStored(1, Set.of());
      data.defined(FIRST);
      data.erase(FIRST);
      assertArrayEquals(marks(), data.defined(FIRST));
      desk.check();
    }
  }

  /** The query and the write have no element in common. */
  @Test
  void a_write_during_a_query_is_seen_by_the_next_query() {
    try (Desk desk = new Desk(Desk.plain(0, 20_000))) {
      Longs data = stored(desk);
      Gate gate = new Gate(Act.LOCATE, data.key(0));
      desk.store().before(gate);
      Task<boolean[]> asking = Task.start(() -> data.defined(Selection.at(0).extent(4)));
      gate.awaitReached();
      Task<Boolean> writing = Task.run(() -> data.write(Selection.at(6), 1)).awaitStill();
      gate.open();
      asking.get();
      writing.get();
      assertArrayEquals(marks(2, 3, 4, 6), data.defined(FIRST));
      desk.check();
    }
  }

  @Test
  void many_threads_read_the_section_once() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = stored(desk);
      Gate gate = new Gate(Act.LOCATE, data.key(0));
      desk.store().before(gate);
      List<Task<boolean[]>> asking = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        asking.add(Task.start(() -> data.defined(FIRST)));
      }
      gate.awaitReached();
      asking.forEach(Task::awaitStill);
      gate.open();
      asking.forEach(task -> assertArrayEquals(marks(2, 3, 4), task.get()));
      assertEquals(1, desk.store().count(Act.LOCATE, data.key(0)));
      desk.check();
    }
  }

  @Test
  void a_failure_is_thrown_once_and_not_remembered() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = stored(desk);
      desk.store().before(Fault.when((act, key) -> act == Act.LOCATE && key.equals(data.key(1))));
      assertThrows(Fault.class, () -> data.defined(Selection.all()));
      desk.check();
      desk.store().before((_, _) -> {});
      data.defined(Selection.all());
      desk.check();
    }
  }

  @Test
  void a_thread_that_is_interrupted_while_another_reads_the_section_returns() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = stored(desk);
      Gate gate = new Gate(Act.LOAD, data.key(0));
      desk.store().before(gate);
      Task<long[]> reading = Task.start(() -> data.read(FIRST));
      gate.awaitReached();
      Task<boolean[]> asking = Task.start(() -> data.defined(FIRST)).awaitStill();
      asking.interrupt();
      assertInstanceOf(RequestInterruptedException.class, asking.failure());
      gate.open();
      reading.get();
      desk.check();
    }
  }

  @Test
  void a_dense_chunk_is_not_read() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = desk.row(1, Desk.dense(8), 4);
      boolean[] defined = data.defined(Selection.all());
      for (boolean element : defined) {
        assertTrue(element);
      }
      assertEquals(0, desk.store().count(Act.LOAD));
      desk.check();
    }
  }

  @Test
  void sections_being_read_stay_within_the_limits() {
    ChunkFormat format = Desk.sparse(512);
    // Every second element is a run of its own, which makes the set of defined elements as large as
    // possible.
    long each = Entry.OVERHEAD + 24 * 256;
    try (Desk desk = new Desk(Desk.plain(10 * each, 20 * each))) {
      Longs data = desk.row(1, format, 200);
      data.write(Selection.at(0).extent(200 * 512), 1);
      data.erase(Selection.at(0).stride(2).count(200 * 256));
      desk.flush();
      desk.cache().keyed().forgetStored(1, Set.of());
      AtomicLong most = new AtomicLong();
      desk.store().before((_, _) -> most.accumulateAndGet(desk.statistics().bytes(), Math::max));
      boolean[] defined = data.defined(Selection.all());
      for (int i = 0; i < defined.length; i++) {
        assertEquals(i % 2 == 1, defined[i]);
      }
      assertTrue(most.get() <= 20 * each, "bytes " + most);
      assertEquals(200, desk.statistics().located());
      desk.check();
    }
  }

  @Test
  void sections_of_many_chunks_stay_within_the_limits() {
    try (Desk desk = new Desk(Desk.plain(2_000, 4_000))) {
      Longs data = desk.row(1, FORMAT, 1000);
      data.defined(Selection.all());
      assertTrue(desk.statistics().bytes() <= 2_000);
      desk.check();
    }
  }
}
