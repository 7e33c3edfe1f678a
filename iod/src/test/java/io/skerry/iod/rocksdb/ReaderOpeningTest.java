package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.InMemory;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests openings for reading while a writer moves changes between files, and after it. */
class ReaderOpeningTest {
  /** The number of transactions during which the container is opened again and again. */
  private static final int TRANSACTIONS = 1000;

  private static final int PLACES = 20;
  private static final int SIZE = 20_000;

  /** Buffers of this size are moved from the log to other files after some 25 transactions. */
  private static final EngineOptions SMALL = EngineOptions.DEFAULT.withWriteBufferBytes(1 << 19);

  @TempDir(factory = InMemory.class)
  Path folder;

  private final RocksProvider engine = new RocksProvider();
  private final AtomicBoolean isDone = new AtomicBoolean();
  private final AtomicLong acknowledged = new AtomicLong();

  private EngineLocation location() {
    return EngineLocation.of("iod:" + folder.resolve("run"));
  }

  /** Stores the number of each transaction in one of the places. */
  private void write() {
    try (var container = engine.open(location(), Opening.writing().with(SMALL))) {
      long mark = container.recover();
      while (!isDone.get()) {
        long next = mark + 1;
        var value = MemorySegment.ofArray(new byte[SIZE]);
        value.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, next);
        try (var changes = container.shard(0).change(next)) {
          changes.put(new Place.Tile(1, next % PLACES), value);
          changes.prepare(Durability.BUFFERED);
        }
        assertTrue(container.advance(mark, next));
        mark = next;
        acknowledged.set(mark);
        // Several openings fit between two moves.
        LockSupport.parkNanos(2_000_000);
      }
    }
  }

  private void read() {
    long least = acknowledged.get();
    try (var container = engine.open(location(), Opening.reading());
        var arena = Arena.ofConfined()) {
      long mark = container.readableMark();
      assertTrue(mark >= least, "mark=" + mark + " acknowledged=" + least);
      for (long at = Math.max(1, mark - PLACES + 1); at <= mark; at++) {
        var found = container.shard(0).get(new Place.Tile(1, at % PLACES), mark, arena);
        assertTrue(found.isPresent(), "at=" + at + " mark=" + mark);
        assertEquals(at, found.get().get(ValueLayout.JAVA_LONG_UNALIGNED, 0), "mark=" + mark);
      }
    }
  }

  @Test
  @Timeout(120)
  void an_opening_sees_all_transactions_up_to_the_mark_while_files_are_moved() throws Exception {
    engine.create(location(), 1);
    var writing = CompletableFuture.runAsync(this::write);
    try {
      while (acknowledged.get() < TRANSACTIONS && !writing.isDone()) {
        read();
      }
    } finally {
      isDone.set(true);
      writing.get();
    }
    assertTrue(acknowledged.get() >= TRANSACTIONS, "transactions: " + acknowledged);
  }

  private static void put(Container container, long transaction) {
    try (var changes = container.shard(0).change(transaction)) {
      for (int n = 0; n < PLACES; n++) {
        changes.put(new Place.Tile(1, n), MemorySegment.ofArray(new byte[SIZE]));
      }
      changes.prepare(Durability.SYNCED);
    }
    assertTrue(container.advance(transaction - 1, transaction));
  }

  @Test
  void a_read_of_a_file_that_the_writer_has_removed_demands_another_opening() {
    engine.create(location(), 1);
    try (var container = engine.open(location(), Opening.writing())) {
      long unused = container.recover();
      put(container, 1);
    }
    // An opening for writing moves the changes of the log to the files of values.
    try (var writer = engine.open(location(), Opening.writing());
        var reader = engine.open(location(), Opening.reading());
        var arena = Arena.ofConfined()) {
      long mark = writer.recover();
      put(writer, mark + 1);
      writer.shard(0).purge(mark + 1);
      ((RocksShard) writer.shard(0)).store().compact();
      var e =
          assertThrows(
              EngineException.class, () -> reader.shard(0).get(new Place.Tile(1, 0), mark, arena));
      assertEquals(EngineException.Fault.INPUT_OUTPUT, e.fault());
      assertTrue(e.getMessage().contains("open the container again"), e.getMessage());
      assertTrue(e.getMessage().contains(folder.resolve("run") + " shard=0"), e.getMessage());
    }
  }

  @Test
  void large_values_are_read_from_a_database_whose_files_were_all_compacted() {
    engine.create(location(), 1);
    try (var container = engine.open(location(), Opening.writing())) {
      long unused = container.recover();
      put(container, 1);
      ((RocksShard) container.shard(0)).store().compact();
    }
    try (var reader = engine.open(location(), Opening.reading());
        var arena = Arena.ofConfined()) {
      assertTrue(reader.shard(0).get(new Place.Tile(1, 0), 1, arena).isPresent());
      reader
          .shard(0)
          .verify(finding -> {
            throw new AssertionError(finding);
          });
    }
  }
}
