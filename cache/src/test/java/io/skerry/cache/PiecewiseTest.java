package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.Desk;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.Longs;
import io.skerry.cache.table.Entry;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tests reads and writes of pieces of chunks, in the order that is worst for the cache. */
class PiecewiseTest {
  private static final ChunkFormat FORMAT = Desk.dense(8);
  private static final long CHUNK = Desk.bytes(FORMAT);

  /** Size of a chunk that was loaded and never written, in bytes. */
  private static final long EMPTY = Entry.OVERHEAD + FORMAT.newChunk().bytes();

  private static CacheOptions growing(long chunks, long mostChunks) {
    return Desk.plain(chunks * CHUNK, 2 * chunks * CHUNK)
        .withLimits(chunks * CHUNK, 2 * chunks * CHUNK, mostChunks * CHUNK);
  }

  /** Accesses one element of each chunk in a row, then the next element of each. */
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "MRU")
  void elements_read_across_more_chunks_than_fit_load_each_twice_at_most(EvictionPolicy policy) {
    try (Desk desk = new Desk(growing(10, 1_000).withPolicy(policy))) {
      Longs data = desk.row(1, FORMAT, 100);
      for (int element = 0; element < 8; element++) {
        for (int chunk = 0; chunk < 100; chunk++) {
          data.read(Selection.at(8L * chunk + element));
        }
      }
      assertMost(desk, data, Act.LOAD);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "MRU")
  void elements_written_across_more_chunks_than_fit_store_each_twice_at_most(
      EvictionPolicy policy) {
    try (Desk desk = new Desk(growing(10, 1_000).withPolicy(policy))) {
      Longs data = desk.open(1, Desk.filtered(8), Shape.of(800));
      for (int element = 0; element < 8; element++) {
        for (int chunk = 0; chunk < 100; chunk++) {
          data.write(Selection.at(8L * chunk + element), element);
        }
      }
      desk.flush();
      assertMost(desk, data, Act.LOAD);
      assertMost(desk, data, Act.STORE);
    }
  }

  private static void assertMost(Desk desk, Longs data, Act act) {
    for (int chunk = 0; chunk < 100; chunk++) {
      int count = desk.store().count(act, data.key(chunk));
      assertTrue(count <= 2, act + " of chunk " + chunk + ": " + count + " " + desk.statistics());
    }
    desk.check();
  }

  @Test
  void the_limit_grows_at_once_to_the_size_that_would_have_kept_a_chunk() {
    CacheOptions options = Desk.plain(10 * EMPTY, 20 * EMPTY);
    try (Desk desk = new Desk(options.withLimits(10 * EMPTY, 20 * EMPTY, 1_000 * EMPTY))) {
      Longs data = desk.row(1, FORMAT, 100);
      for (int chunk = 0; chunk < 50; chunk++) {
        data.read(data.chunk(chunk));
      }
      assertEquals(10 * EMPTY, desk.statistics().quiescent());
      data.read(data.chunk(0));
      long limit = desk.statistics().quiescent();
      assertTrue(limit >= 50 * EMPTY && limit < 60 * EMPTY, "chunks=" + (double) limit / EMPTY);
      desk.check();
    }
  }

  @Test
  void the_limit_does_not_grow_for_chunks_that_no_limit_could_have_kept() {
    try (Desk desk = new Desk(growing(10, 40))) {
      Longs data = desk.row(1, FORMAT, 100);
      for (int round = 0; round < 3; round++) {
        for (int chunk = 0; chunk < 100; chunk++) {
          data.read(data.chunk(chunk));
        }
      }
      assertEquals(10 * CHUNK, desk.statistics().quiescent());
      desk.check();
    }
  }

  @Test
  void a_new_chunk_stays_between_its_pieces_however_often_others_are_used() {
    CacheOptions options = growing(10, 10).withPolicy(EvictionPolicy.TINY_LFU);
    try (Desk desk = new Desk(options)) {
      Longs data = desk.row(1, FORMAT, 100);
      for (int time = 0; time < 20; time++) {
        for (int chunk = 0; chunk < 9; chunk++) {
          data.read(data.chunk(chunk));
        }
      }
      for (int chunk = 50; chunk < 60; chunk++) {
        for (int element = 0; element < 8; element++) {
          data.read(Selection.at(8L * chunk + element));
        }
        assertEquals(1, desk.store().count(Act.LOAD, data.key(chunk)), "chunk=" + chunk);
      }
      desk.check();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_walk_larger_than_the_cache_loads_each_chunk_once_despite_prefetching(
      EvictionPolicy policy) {
    CacheOptions options = growing(24, 24).withPolicy(policy).withPrefetch(2).withPreemption(0.75);
    try (Desk desk = new Desk(options)) {
      Longs data = desk.row(1, FORMAT, 300);
      for (int chunk = 0; chunk < 300; chunk++) {
        data.read(Selection.at(8L * chunk).extent(4));
        desk.settle();
        data.read(Selection.at(8L * chunk + 4).extent(4));
      }
      assertTrue(desk.statistics().prefetched() > 250, desk.statistics().toString());
      assertEquals(300, desk.store().count(Act.LOAD));
      desk.check();
    }
  }

  @Test
  void chunks_that_fit_and_are_written_again_are_not_encoded_in_advance() {
    ChunkFormat format = Desk.filtered(8);
    try (Desk desk = new Desk(growing(100, 100))) {
      Longs data = desk.open(1, format, Shape.of(8 * 90));
      for (int time = 0; time < 20; time++) {
        for (int chunk = 0; chunk < 90; chunk++) {
          data.write(Selection.at(8L * chunk + time % 8), time);
        }
        desk.settle();
      }
      assertEquals(0, desk.statistics().encodes(), desk.statistics().toString());
      desk.flush();
      assertEquals(90, desk.statistics().encodes());
      desk.check();
    }
  }

  @Test
  void chunks_are_encoded_in_advance_while_others_are_evicted() {
    ChunkFormat format = Desk.filtered(8);
    try (Desk desk = new Desk(growing(20, 20))) {
      Longs data = desk.open(1, format, Shape.of(8 * 200));
      for (int chunk = 0; chunk < 200; chunk++) {
        data.write(Selection.at(8L * chunk).extent(8), 1);
        desk.settle();
      }
      assertTrue(desk.statistics().encodedAhead() > 100, desk.statistics().toString());
      desk.check();
    }
  }
}
