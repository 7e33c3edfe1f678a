package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.Desk;
import io.skerry.cache.api.Fault;
import io.skerry.cache.api.Gate;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.Longs;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.table.ChunkState.Dirty;
import io.skerry.cache.table.ChunkState.Encoded;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AheadEncodingTest {
  private static final ChunkFormat FORMAT = Desk.filtered(64);
  private static final long CHUNK = Desk.bytes(FORMAT);

  private static CacheOptions options() {
    return Desk.plain(10 * CHUNK, 20 * CHUNK);
  }

  /** Writes six chunks to a cache for ten; some of them are encoded in advance. */
  private static Longs written(Desk desk) {
    Longs data = desk.row(1, FORMAT, 20);
    for (int i = 0; i < 6; i++) {
      data.write(data.chunk(i), i + 1);
    }
    desk.settle();
    return data;
  }

  private static void assertStored(Desk desk, Longs data, int chunk, long value) {
    long[] first = new long[64];
    Arrays.fill(first, value);
    var elements = RunSet.range(0, 64);
    assertArrayEquals(
        first,
        data.packed(elements, desk.store().decoded(data.key(chunk)))
            .toArray(ValueLayout.JAVA_LONG));
  }

  @Test
  void chunks_close_to_eviction_are_encoded_in_the_background() {
    try (Desk desk = new Desk(options())) {
      Longs data = written(desk);
      assertInstanceOf(Encoded.class, data.entry(0).state());
      assertTrue(desk.statistics().encodedAhead() > 0);
      assertEquals(0, desk.store().count(Act.STORE));
      desk.check();
    }
  }

  @Test
  void an_eviction_stores_the_image_made_in_advance() {
    try (Desk desk = new Desk(options())) {
      Longs data = written(desk);
      int encodes = desk.store().count(Act.ENCODE, data.key(0));
      desk.cache().configure(Desk.plain(CHUNK, CHUNK));
      assertTrue(desk.store().isStored(data.key(0)));
      assertEquals(encodes, desk.store().count(Act.ENCODE, data.key(0)));
      assertStored(desk, data, 0, 1);
      desk.check();
    }
  }

  @Test
  void a_flush_stores_the_image_made_in_advance() {
    try (Desk desk = new Desk(options())) {
      Longs data = written(desk);
      desk.flush();
      assertEquals(1, desk.store().count(Act.ENCODE, data.key(0)));
      assertStored(desk, data, 0, 1);
      desk.check();
    }
  }

  @Test
  void a_later_write_discards_the_image() {
    try (Desk desk = new Desk(options())) {
      Longs data = written(desk);
      assertInstanceOf(Encoded.class, data.entry(0).state());
      desk.store().before(Fault.when((act, _) -> act == Act.ENCODE));
      data.write(data.chunk(0), 7);
      desk.settle();
      assertInstanceOf(Dirty.class, data.entry(0).state());
      desk.store().before((_, _) -> {});
      desk.flush();
      assertStored(desk, data, 0, 7);
      desk.check();
    }
  }

  @Test
  void an_image_made_during_a_write_of_the_chunk_is_discarded() {
    try (Desk desk = new Desk(options())) {
      Longs data = desk.row(1, FORMAT, 20);
      Gate gate = new Gate(Act.ENCODE, data.key(0));
      desk.store().before(gate);
      for (int i = 0; i < 6; i++) {
        data.write(data.chunk(i), i + 1);
      }
      gate.awaitReached();
      data.write(data.corner(0), 9);
      gate.open();
      desk.settle();
      assertFalse(data.entry(0).state() instanceof Encoded encoded && encoded.image().isEmpty());
      desk.flush();
      assertEquals(9, data.read(data.corner(0))[0]);
      desk.cache().keyed().forgetStored(1, Set.of());
      assertEquals(9, data.read(data.corner(0))[0]);
      desk.check();
    }
  }

  @Test
  void an_image_made_during_a_change_of_extent_is_discarded() {
    try (Desk desk = new Desk(options())) {
      Longs data = desk.row(1, FORMAT, 20);
      Gate gate = new Gate(Act.ENCODE, data.key(0));
      desk.store().before(gate);
      for (int i = 0; i < 6; i++) {
        data.write(data.chunk(i), i + 1);
      }
      gate.awaitReached();
      Task<Boolean> reshaping =
          Task.run(() -> {
            try (var _ = data.dataset().requests().enterAll(Kind.WRITE)) {
              data.reshape(desk.store(), Shape.of(30 * 64).unlimited(0));
            }
          });
      reshaping.get();
      desk.store().before(Fault.when((act, _) -> act == Act.ENCODE));
      gate.open();
      desk.settle();
      assertInstanceOf(Dirty.class, data.entry(0).state());
      desk.store().before((_, _) -> {});
      desk.check();
    }
  }

  @Test
  void a_failed_encoding_is_thrown_to_the_caller_that_stores_the_chunk() {
    try (Desk desk = new Desk(options())) {
      desk.store().before(Fault.when((act, _) -> act == Act.ENCODE));
      Longs data = written(desk);
      assertInstanceOf(Dirty.class, data.entry(0).state());
      assertEquals(0, desk.statistics().encodedAhead());
      desk.store().before((_, _) -> {});
      data.write(data.chunk(6), 7);
      desk.settle();
      assertTrue(desk.statistics().encodedAhead() > 0);
      desk.check();
    }
  }

  @Test
  void images_made_in_advance_stay_within_the_limits() {
    try (Desk desk = new Desk(options())) {
      Longs data = desk.row(1, FORMAT, 100);
      for (int i = 0; i < 100; i++) {
        data.write(data.chunk(i), i);
        desk.settle();
        assertTrue(desk.statistics().bytes() <= 10 * CHUNK);
      }
      desk.check();
    }
  }

  @Test
  void chunks_that_need_no_encoding_are_not_encoded_in_advance() {
    try (Desk desk = new Desk(options())) {
      Longs data = desk.row(1, Desk.dense(64), 20);
      for (int i = 0; i < 9; i++) {
        data.write(data.chunk(i), i);
      }
      desk.settle();
      assertEquals(0, desk.statistics().encodes());
      desk.check();
    }
  }
}
