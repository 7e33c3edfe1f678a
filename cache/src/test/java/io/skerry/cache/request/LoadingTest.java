package io.skerry.cache.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.Task;
import io.skerry.cache.api.Desk;
import io.skerry.cache.api.Fault;
import io.skerry.cache.api.Gate;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.api.SliceReader;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadingTest {
  private static final ChunkFormat FORMAT = Desk.dense(8);
  private static final long CHUNK = Desk.bytes(FORMAT);

  private static long[] eight(long value) {
    return LongStream.generate(() -> value).limit(8).toArray();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100})
  void a_chunk_that_many_threads_miss_at_once_is_loaded_once(long chunks) {
    try (Desk desk = new Desk(Desk.plain(chunks * CHUNK, 100 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 4);
      data.write(data.chunk(2), 7);
      desk.flush();
      desk.cache().keyed().forgetStored(1, Set.of());
      Gate gate = new Gate(Act.LOAD, data.key(2));
      desk.store().before(gate);
      List<Task<long[]>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        readers.add(Task.start(() -> data.read(data.chunk(2))));
      }
      gate.awaitReached();
      readers.forEach(Task::awaitStill);
      gate.open();
      readers.forEach(reader -> assertArrayEquals(eight(7), reader.get()));
      assertEquals(1, desk.store().count(Act.LOAD, data.key(2)));
      desk.check();
    }
  }

  @Test
  void many_threads_that_load_chunks_of_unknown_size_stay_within_the_limits() {
    ChunkFormat format = Desk.sparse(512);
    long full = Desk.bytes(format) + 1000;
    try (Desk desk = new Desk(Desk.plain(4 * full, 4 * full))) {
      Longs data = desk.row(1, format, 16);
      data.write(Selection.at(0).extent(16 * 512), 1);
      desk.flush();
      desk.cache().keyed().forget(1);
      Longs unseen = desk.row(1, format, 16);
      AtomicInteger loading = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      desk.store()
          .before((act, _) -> {
            if (act == Act.LOAD) {
              most.accumulateAndGet(loading.incrementAndGet(), Math::max);
              LockSupport.parkNanos(20_000_000);
              loading.decrementAndGet();
            }
          });
      List<Task<long[]>> readers = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        Selection chunk = unseen.chunk(i);
        readers.add(Task.start(() -> unseen.read(chunk)));
      }
      readers.forEach(reader -> assertEquals(512, Arrays.stream(reader.get()).sum()));
      assertTrue(most.get() <= 4, "chunks loaded at once: " + most);
      desk.check();
    }
  }

  @Test
  void a_failed_load_is_thrown_only_to_the_requests_for_the_chunk() {
    try (Desk desk = new Desk(Desk.plain(100 * CHUNK, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 6);
      desk.store().before(Fault.when((act, key) -> act == Act.LOAD && key.equals(data.key(2))));
      List<Task<long[]>> failing = new ArrayList<>();
      List<Task<long[]>> others = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        failing.add(Task.start(() -> data.read(Selection.at(0).extent(32))));
        others.add(Task.start(() -> data.read(Selection.at(24).extent(24))));
      }
      for (Task<long[]> reader : failing) {
        Throwable failure = assertInstanceOf(Fault.class, reader.failure());
        assertTrue(failure.getMessage().contains(data.key(2).toString()), failure.getMessage());
      }
      others.forEach(Task::get);
      desk.check();
      desk.store().before((_, _) -> {});
      assertArrayEquals(new long[32], data.read(Selection.at(0).extent(32)));
      desk.check();
    }
  }

  @Test
  void a_failed_reader_leaves_no_claimed_chunk_unloaded() {
    try (Desk desk = new Desk(Desk.plain(100 * CHUNK, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 3);
      Gate gate = new Gate(Act.LOAD, data.key(1));
      desk.store().before(gate);
      Task<long[]> first = Task.start(() -> data.read(data.chunk(1)));
      gate.awaitReached();
      // The second reader claims chunks 0 and 2 before it waits for chunk 1.
      Task<Boolean> second =
          Task.run(() ->
              desk.cache()
                  .read(
                      data.reading(
                          Selection.at(0).extent(24),
                          (slice, _) -> {
                            if (slice.scaled()[0] == 1) {
                              throw new IllegalStateException("cannot read");
                            }
                          })));
      second.awaitStill();
      gate.open();
      assertEquals("cannot read", second.failure().getMessage());
      first.get();
      desk.check();
      assertArrayEquals(new long[24], data.read(Selection.at(0).extent(24)));
    }
  }

  @Test
  void a_reader_that_fails_on_chunks_of_other_loads_releases_its_claims() {
    try (Desk desk = new Desk(Desk.plain(100 * CHUNK, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 2);
      SliceReader reader =
          new SliceReader() {
            @Override
            public void read(ChunkSlice slice, MemoryChunk chunk) {
              if (slice.scaled()[0] == 1) {
                throw new IllegalStateException("cannot read");
              }
            }

            @Override
            public boolean readPast(ChunkSlice slice, Pressure pressure) {
              if (slice.scaled()[0] == 1) {
                Task.start(() -> data.read(data.chunk(1))).get();
              }
              return false;
            }
          };
      ReadRequest request = data.reading(Selection.all(), reader);
      assertEquals(
          "cannot read",
          assertThrows(IllegalStateException.class, () -> desk.cache().read(request)).getMessage());
      desk.check();
      assertArrayEquals(new long[16], data.read(Selection.all()));
    }
  }

  @Test
  void a_thread_that_is_interrupted_while_another_loads_returns_at_once_and_the_load_continues() {
    try (Desk desk = new Desk(Desk.plain(100 * CHUNK, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 3);
      Gate gate = new Gate(Act.LOAD, data.key(1));
      desk.store().before(gate);
      Task<long[]> first = Task.start(() -> data.read(data.chunk(1)));
      gate.awaitReached();
      Task<long[]> second = Task.start(() -> data.read(Selection.at(0).extent(24))).awaitStill();
      second.interrupt();
      assertInstanceOf(RequestInterruptedException.class, second.failure());
      gate.open();
      assertArrayEquals(eight(0), first.get());
      desk.check();
    }
  }

  @Test
  void a_write_whose_load_fails_has_changed_nothing() {
    try (Desk desk = new Desk(Desk.plain(100 * CHUNK, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 3);
      data.write(data.chunk(0), 5);
      desk.store().before(Fault.when((act, key) -> act == Act.LOAD && key.equals(data.key(2))));
      Selection part = Selection.at(0).extent(23);
      assertThrows(Fault.class, () -> data.write(part, 9));
      assertArrayEquals(eight(5), data.read(data.chunk(0)));
      assertArrayEquals(eight(0), data.read(data.chunk(1)));
      desk.check();
    }
  }

  /**
   * Another request needs all the memory between the creation of new versions and their
   * publication.
   */
  @Test
  void a_write_is_published_without_reloading_a_chunk_that_was_evicted_meanwhile() {
    try (Desk desk = new Desk(Desk.plain(0, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 3);
      data.write(Selection.at(0).extent(24), 5);
      ChangeRequest request =
          data.changing(
              Selection.at(4).extent(16),
              slice ->
                  before -> {
                    MemoryChunk after =
                        data.format()
                            .write(before, slice.elements(), data.packed(slice.elements(), before));
                    desk.cache().trim();
                    desk.store().before(Fault.when((act, _) -> act == Act.LOAD));
                    return after;
                  });
      desk.cache().write(List.of(request));
      desk.store().before((_, _) -> {});
      assertEquals(1, desk.store().count(Act.LOAD, data.key(0)));
      assertEquals(1, desk.store().count(Act.LOAD, data.key(2)));
      desk.check();
    }
  }

  @Test
  void an_interrupted_write_is_complete_or_has_not_begun() {
    try (Desk desk = new Desk(Desk.plain(0, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 8);
      Thread caller = Thread.currentThread();
      ChangeRequest request =
          data.changing(
              Selection.at(4).extent(56),
              slice ->
                  before -> {
                    long[] nines =
                        LongStream.generate(() -> 9).limit(slice.elements().count()).toArray();
                    MemoryChunk after =
                        data.format().write(before, slice.elements(), MemorySegment.ofArray(nines));
                    desk.cache().trim();
                    caller.interrupt();
                    return after;
                  });
      try {
        desk.cache().write(List.of(request));
      } catch (RequestInterruptedException e) {
        assertTrue(Thread.interrupted());
        assertArrayEquals(new long[64], data.read(Selection.all()));
        return;
      }
      assertTrue(Thread.interrupted());
      long[] values = data.read(Selection.all());
      for (int i = 0; i < 64; i++) {
        assertEquals(i >= 4 && i < 60 ? 9 : 0, values[i], "element " + i);
      }
      desk.check();
    }
  }

  @Test
  void a_chunk_larger_than_all_limits_is_loaded_once_while_it_is_read_piece_by_piece() {
    try (Desk desk = new Desk(Desk.plain(10, 20))) {
      Longs data = desk.row(1, FORMAT, 3);
      for (int i = 0; i < 24; i++) {
        data.read(Selection.at(i));
      }
      assertEquals(3, desk.store().count(Act.LOAD));
      desk.check();
    }
  }

  @Test
  void a_chunk_larger_than_all_limits_is_loaded_once_while_it_is_written_piece_by_piece() {
    try (Desk desk = new Desk(Desk.plain(10, 20))) {
      Longs data = desk.row(1, FORMAT, 3);
      for (int i = 0; i < 24; i++) {
        data.write(Selection.at(i), 1);
      }
      assertEquals(3, desk.store().count(Act.LOAD));
      assertTrue(desk.store().count(Act.STORE) <= 3, "stores " + desk.store().count(Act.STORE));
      desk.check();
    }
  }

  @Test
  void a_chunk_that_is_evicted_and_written_meanwhile_loses_no_write() {
    try (Desk desk = new Desk(Desk.plain(0, 200 * CHUNK))) {
      Longs data = desk.row(1, FORMAT, 1);
      Gate gate = new Gate(Act.STORE, data.key(0));
      desk.store().before(gate);
      Task<Boolean> first = Task.run(() -> data.write(Selection.at(0).extent(4), 1));
      gate.awaitReached();
      Task<Boolean> second = Task.run(() -> data.write(Selection.at(4).extent(4), 2)).awaitStill();
      gate.open();
      first.get();
      second.get();
      assertArrayEquals(new long[] {1, 1, 1, 1, 2, 2, 2, 2}, data.read(Selection.all()));
      desk.check();
      desk.flush();
      assertArrayEquals(
          new long[] {1, 1, 1, 1, 2, 2, 2, 2},
          data.packed(
                  data.reading(Selection.all(), new long[8]).slices().getFirst().elements(),
                  desk.store().decoded(data.key(0)))
              .toArray(ValueLayout.JAVA_LONG));
    }
  }
}
