package io.skerry.cache.eviction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.Task;
import io.skerry.cache.api.Desk;
import io.skerry.cache.api.Gate;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.api.SliceReader;
import io.skerry.cache.request.Longs;
import io.skerry.cache.table.Entry;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final ChunkFormat FORMAT = Desk.dense(8);
  private static final long CHUNK = Desk.bytes(FORMAT);

  private static CacheOptions growing(long quiescent, long most) {
    return Desk.plain(quiescent, 2 * quiescent).withLimits(quiescent, 2 * quiescent, most);
  }

  @Test
  void a_fixed_size_may_be_any_number_of_bytes() {
    for (long bytes : new long[] {0, 1, Long.MAX_VALUE / 2 + 1, Long.MAX_VALUE}) {
      CacheOptions options = CacheOptions.standard().withFixedSize(bytes);
      assertEquals(bytes, options.quiescent());
      try (Desk desk = new Desk(options)) {
        Longs data = desk.row(1, FORMAT, 10);
        for (int i = 0; i < 10; i++) {
          data.write(Selection.at(8L * i + 2).extent(3), 1);
        }
        assertTrue(desk.statistics().active() >= Math.min(bytes, 1L << 50));
        desk.check();
      }
    }
  }

  @Test
  void limits_near_the_largest_long_adapt() {
    for (long least : new long[] {1, Long.MAX_VALUE / 3}) {
      try (Desk desk = new Desk(growing(least, Long.MAX_VALUE))) {
        Longs data = desk.row(1, FORMAT, 10);
        for (int i = 0; i < 10; i++) {
          data.read(Selection.at(8L * i + 2).extent(3));
        }
        CacheStatistics said = desk.statistics();
        assertTrue(
            said.active() >= said.quiescent() && said.quiescent() >= Math.min(least, 1L << 50),
            said.toString());
        desk.check();
      }
    }
  }

  @Test
  void with_a_limit_of_zero_no_stored_chunk_stays() {
    try (Desk desk = new Desk(Desk.plain(0, 1))) {
      Longs data = desk.row(1, FORMAT, 4);
      data.read(Selection.all());
      data.write(Selection.at(3), 4);
      data.read(Selection.at(3));
      data.defined(Selection.all());
      assertEquals(0, desk.statistics().chunks());
      assertEquals(0, desk.statistics().bytes());
      desk.check();
    }
  }

  /** HDF5 reads the chunks again for each row if they do not fit in its cache. */
  @Test
  void rows_that_cross_many_chunks_load_each_chunk_once_if_the_limit_may_grow() {
    ChunkFormat format = Desk.dense(8, 8);
    try (Desk desk = new Desk(growing(2 * Desk.bytes(format), 1 << 30))) {
      Longs data = desk.open(1, format, Shape.of(16, 800));
      for (int row = 0; row < 16; row++) {
        data.read(Selection.at(row, 0).extent(1, 800));
      }
      assertEquals(200, desk.store().count(Act.LOAD));
      desk.check();
    }
  }

  @Test
  void the_limit_grows_until_the_chunks_in_repeated_use_fit() {
    try (Desk desk = new Desk(growing(4 * CHUNK, 1 << 30))) {
      Longs data = desk.row(1, FORMAT, 8);
      data.write(Selection.all(), 1);
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 8; i++) {
          data.read(data.chunk(i));
        }
      }
      int loads = desk.store().count(Act.LOAD);
      for (int i = 0; i < 8; i++) {
        data.read(data.chunk(i));
      }
      assertEquals(loads, desk.store().count(Act.LOAD));
      assertTrue(desk.statistics().quiescent() >= 8 * CHUNK);
      desk.check();
    }
  }

  @Test
  void the_limit_does_not_grow_for_a_dataset_with_the_id_of_a_removed_one() {
    try (Desk desk = new Desk(growing(4 * CHUNK, 1 << 30))) {
      for (int round = 0; round < 5; round++) {
        Longs data = desk.row(1, FORMAT, 8);
        for (int i = 0; i < 8; i++) {
          data.read(data.chunk(i));
        }
        desk.cache().keyed().forget(1);
      }
      assertEquals(4 * CHUNK, desk.statistics().quiescent());
      desk.check();
    }
  }

  @Test
  void the_limit_falls_back_when_loaded_chunks_are_not_used_again() {
    try (Desk desk = new Desk(growing(4 * CHUNK, 1 << 30))) {
      Longs data = desk.row(1, FORMAT, 10_000);
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 8; i++) {
          data.read(data.chunk(i));
        }
      }
      long grown = desk.statistics().quiescent();
      for (int i = 8; i < 10_000; i++) {
        data.read(data.chunk(i));
      }
      assertTrue(grown > 4 * CHUNK);
      assertEquals(4 * CHUNK, desk.statistics().quiescent());
      assertTrue(desk.statistics().bytes() <= 4 * CHUNK);
      desk.check();
    }
  }

  @Test
  void new_limits_hold_at_once() {
    try (Desk desk = new Desk(Desk.plain(20 * CHUNK, 40 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 40);
      data.write(Selection.all(), 1);
      assertEquals(20, desk.statistics().chunks());
      desk.cache().configure(Desk.plain(5 * CHUNK, 10 * CHUNK));
      assertEquals(5, desk.statistics().chunks());
      desk.cache().configure(Desk.plain(0, 10 * CHUNK));
      assertEquals(0, desk.statistics().chunks());
      desk.cache().configure(Desk.plain(30 * CHUNK, 60 * CHUNK));
      data.read(Selection.all());
      assertEquals(30, desk.statistics().chunks());
      assertThrows(
          IllegalArgumentException.class,
          () -> desk.cache().configure(desk.cache().options().withPolicy(EvictionPolicy.MRU)));
      desk.check();
    }
  }

  @Test
  void a_lower_limit_holds_even_if_it_may_grow_again() {
    try (Desk desk = new Desk(growing(20 * CHUNK, 1 << 30))) {
      Longs data = desk.row(1, FORMAT, 20);
      data.write(Selection.all(), 1);
      desk.cache().configure(growing(5 * CHUNK, 1 << 30));
      assertEquals(5 * CHUNK, desk.statistics().quiescent());
      assertEquals(5, desk.statistics().chunks());
      desk.check();
    }
  }

  @Test
  void chunks_in_memory_are_written_without_evictions() {
    try (Desk desk = new Desk(Desk.plain(10 * CHUNK, 10 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 10);
      data.write(Selection.all(), 1);
      for (int i = 0; i < 10; i++) {
        data.write(Selection.at(1).extent(78), i);
      }
      assertEquals(0, desk.store().count(Act.STORE));
      assertEquals(0, desk.statistics().evictions());
      assertEquals(10, desk.statistics().chunks());
      desk.check();
    }
  }

  @Test
  void a_request_larger_than_the_cache_is_served_part_by_part() {
    try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 6 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 100);
      AtomicLong most = new AtomicLong();
      desk.store().before((_, _) -> most.accumulateAndGet(desk.statistics().bytes(), Math::max));
      data.write(Selection.at(1).extent(798), 3);
      data.read(Selection.all());
      assertTrue(most.get() <= 6 * CHUNK, "most=" + most + " of " + 6 * CHUNK);
      assertTrue(most.get() > 4 * CHUNK, "most=" + most);
      assertEquals(4, desk.statistics().chunks());
      desk.check();
    }
  }

  @Test
  void chunks_of_unknown_size_exceed_the_limit_by_little() {
    ChunkFormat sparse = Desk.sparse(64);
    long full = Entry.OVERHEAD + sparse.newChunk().bytes() + 24 + 512;
    try (Desk desk = new Desk(Desk.plain(20 * full, 40 * full))) {
      Longs data = desk.row(1, sparse, 400);
      AtomicLong most = new AtomicLong();
      desk.store().before((_, _) -> most.accumulateAndGet(desk.statistics().bytes(), Math::max));
      data.write(Selection.all(), 3);
      desk.flush();
      desk.cache().keyed().forget(1);
      Longs again = desk.row(1, sparse, 400);
      long[] values = again.read(Selection.all());
      assertEquals(400 * 64 * 3, Arrays.stream(values).sum());
      assertTrue(most.get() <= 48 * full, "most=" + most + " of " + 40 * full);
      desk.check();
    }
  }

  @Test
  void a_dataset_whose_first_chunk_is_being_loaded_has_an_expected_size() {
    try (Desk desk = new Desk(Desk.plain(10_000, 20_000))) {
      Longs data = desk.row(1, Desk.sparse(64), 4);
      Gate gate = new Gate(Act.LOAD, data.key(0));
      desk.store().before(gate);
      Task<long[]> reading = Task.start(() -> data.read(data.chunk(0)));
      gate.awaitReached();
      // The state between the insertion of the entry into the table and the update of the total
      // size.
      data.dataset().weigh(-Entry.OVERHEAD);
      data.read(data.chunk(1));
      data.dataset().weigh(Entry.OVERHEAD);
      gate.open();
      reading.get();
      desk.check();
    }
  }

  /** A reader that bypasses the cache for chunks that do not fit, and records them. */
  private record Past(Longs data, List<Long> past) implements SliceReader {
    @Override
    public void read(ChunkSlice slice, MemoryChunk chunk) {
      data.packed(slice.elements(), chunk);
    }

    @Override
    public boolean readPast(ChunkSlice slice, Pressure pressure) {
      if (pressure == Pressure.THRASHING) {
        synchronized (past) {
          past.add(slice.scaled()[0]);
        }
      }
      return pressure == Pressure.THRASHING;
    }
  }

  @Test
  void whole_chunks_of_a_request_larger_than_the_cache_may_bypass_it() {
    try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 6 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 100);
      data.read(data.chunk(50));
      List<Long> past = new ArrayList<>();
      desk.cache().read(data.reading(Selection.at(4).extent(790), new Past(data, past)));
      // All except the two that are read in part and the one that is in memory.
      assertEquals(97, past.size());
      assertEquals(3, desk.statistics().loads());
      assertEquals(97, desk.statistics().passed());
      assertTrue(data.isHeld(50));
      past.clear();
      desk.cache().read(data.reading(Selection.at(0).extent(24), new Past(data, past)));
      assertEquals(List.of(), past);
      desk.check();
    }
  }

  @Test
  void requests_that_do_not_fit_together_run_one_after_the_other() {
    try (Desk desk = new Desk(Desk.plain(4 * CHUNK, 6 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 100);
      Gate gate = new Gate(Act.LOAD, data.key(0));
      desk.store().before(gate);
      Task<long[]> first = Task.start(() -> data.read(Selection.at(0).extent(32)));
      gate.awaitReached();
      Task<long[]> second = Task.start(() -> data.read(Selection.at(80).extent(32))).awaitStill();
      assertEquals(0, desk.store().count(Act.LOAD, data.key(10)));
      Task<long[]> small = Task.start(() -> data.read(Selection.at(160).extent(16)));
      small.get();
      second.interrupt();
      second.failure();
      assertTrue(desk.statistics().stalls() > 0);
      gate.open();
      first.get();
      desk.check();
    }
  }

  @Test
  void statistics_are_exact_at_rest() {
    try (Desk desk = new Desk(Desk.plain(100 * CHUNK, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 10);
      data.read(Selection.at(0).extent(40));
      data.read(Selection.at(0).extent(64));
      data.write(Selection.at(60).extent(20), 1);
      data.peek(3);
      data.peek(9);
      desk.cache().keyed().forgetStored(1, Set.of());
      CacheStatistics said = desk.statistics();
      assertEquals(5 + 1 + 2, said.hits());
      assertEquals(5 + 3 + 2, said.misses());
      assertEquals(8, said.loads());
      assertEquals(3, said.chunks());
      assertEquals(3 * CHUNK, said.bytes());
      assertEquals(3 * CHUNK, said.unstoredBytes());
      desk.flush();
      assertEquals(3, desk.statistics().stores());
      assertEquals(3, desk.statistics().encodes());
      assertEquals(0, desk.statistics().unstoredBytes());
      desk.cache().keyed().forget(1);
      assertEquals(0, desk.statistics().bytes());
      assertEquals(0, desk.statistics().chunks());
      desk.check();
    }
  }
}
