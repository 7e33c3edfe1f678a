package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.InMemory;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens a container for reading while another opener stores transactions past the log. */
class ReadingBesideWriterTest {
  private static final int TRANSACTIONS = 60;
  private static final int TILES = 4;
  private static final int TILE = 3 << 20;

  @TempDir(factory = InMemory.class)
  Path folder;

  private static void write(Container container, MemorySegment tile, long transaction) {
    tile.set(ValueLayout.JAVA_LONG, 0, transaction);
    try (var changes = container.shard(0).change(transaction)) {
      for (int n = 0; n < TILES; n++) {
        changes.put(new Place.Tile(1, n), tile);
      }
      changes.prepare(Durability.BUFFERED);
    }
    assertTrue(container.advance(transaction - 1, transaction));
  }

  private static long read(Container container) {
    long mark = container.readableMark();
    for (int n = 0; mark > 0 && n < TILES; n++) {
      try (var arena = Arena.ofConfined()) {
        var tile = container.shard(0).get(new Place.Tile(1, n), mark, arena).orElseThrow();
        assertEquals(mark, tile.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        assertEquals(TILE, tile.byteSize());
      }
    }
    return mark;
  }

  @Test
  void an_opening_sees_all_changes_up_to_its_readable_mark() throws Exception {
    var engine = new RocksProvider();
    var location = EngineLocation.of("iod:" + folder.resolve("run"));
    engine.create(location, 1);
    try (var executor = Executors.newSingleThreadExecutor()) {
      var writer =
          executor.submit(() -> {
            try (var arena = Arena.ofConfined();
                var container = engine.open(location, Opening.writing())) {
              assertEquals(0, container.recover());
              var tile = arena.allocate(TILE);
              for (long transaction = 1; transaction <= TRANSACTIONS; transaction++) {
                write(container, tile, transaction);
              }
            }
            return true;
          });
      int openings = 0;
      while (!writer.isDone()) {
        try (var container = engine.open(location, Opening.reading())) {
          assertTrue(read(container) >= 0);
          openings++;
        }
      }
      assertTrue(writer.get(1, TimeUnit.MINUTES));
      try (var container = engine.open(location, Opening.reading())) {
        assertEquals(TRANSACTIONS, read(container));
      }
      assertTrue(openings > 0);
    }
  }
}
