package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Purges of the embedded engine: their result, and the number of seeks that they need. */
class PurgeTest {
  private static final long OBJECT = 1L << 62 | 7;

  /** A purge seeks the lists of changes, and the first place. */
  private static final long CONSTANT = 4;

  private static final MemorySegment SMALL = MemorySegment.ofArray(new byte[40]);
  private static final MemorySegment LARGE = MemorySegment.ofArray(new byte[5000]);

  @TempDir Path folder;

  private final RocksProvider engine = new RocksProvider();

  private EngineLocation location() {
    return new EngineLocation("iod", folder.resolve("run").toString());
  }

  private Container created() {
    var unused = engine.create(location(), 1);
    return opened();
  }

  private Container opened() {
    Container container = engine.open(location(), Opening.writing());
    var unused = container.recover();
    return container;
  }

  private static Place tile(long number) {
    return new Place.Tile(OBJECT, number);
  }

  private static void put(Container container, long transaction, Iterable<Long> tiles) {
    try (Changes changes = container.shard(0).change(transaction)) {
      tiles.forEach(number -> changes.put(tile(number), SMALL));
      changes.prepare(Durability.BUFFERED);
    }
  }

  private static List<Long> range(long from, long to, long step) {
    List<Long> numbers = new ArrayList<>();
    for (long number = from; number < to; number += step) {
      numbers.add(number);
    }
    return numbers;
  }

  private static void advance(Container container, long mark) {
    assertTrue(container.advance(container.readableMark(), mark));
  }

  /** Purges, checks that there are no findings, and returns the number of seeks of the purge. */
  private static long purge(Container container, long oldest) {
    RocksShard shard = (RocksShard) container.shard(0);
    long before = shard.store().seeks();
    shard.purge(oldest);
    long seeks = shard.store().seeks() - before;
    List<String> findings = new ArrayList<>();
    shard.verify(findings::add);
    assertEquals(List.of(), findings);
    return seeks;
  }

  private static List<Version> history(Container container) {
    return container.shard(0).history(Optional.empty(), new PageLimit(1 << 20, 1 << 30)).items();
  }

  @Test
  void a_purge_of_many_places_has_parts_between_which_other_operations_run() {
    try (Container container = created()) {
      for (long transaction = 1; transaction <= 2; transaction++) {
        put(container, transaction, range(0, 100_000, 1));
        advance(container, transaction);
      }
      int parts = 1;
      while (!container.shard(0).purgePart(2)) {
        put(container, 2 + parts, List.of(200_000L + parts));
        container.shard(0).abort(2 + parts);
        assertTrue(container.shard(0).get(tile(7), 2, Arena.ofAuto()).isPresent());
        parts++;
      }
      assertTrue(parts > 2, "parts: " + parts);
      assertTrue(container.shard(0).purgePart(2));
      assertEquals(0, purge(container, 2));
      assertEquals(100_000, history(container).size());
    }
  }

  @Test
  void first_versions_are_purged_without_a_seek_for_each() {
    try (Container container = created()) {
      RocksShard shard = (RocksShard) container.shard(0);
      long before = shard.store().seeks();
      put(container, 1, range(0, 20_000, 1));
      // Whether the transaction has changes, and whether the object has versions.
      assertTrue(shard.store().seeks() - before <= CONSTANT);
      advance(container, 1);
      // A filter takes a few places for ones that have been changed before.
      assertTrue(purge(container, 1) <= CONSTANT + 200);
      assertEquals(20_000, history(container).size());
      put(container, 2, range(20_000, 30_000, 1));
      advance(container, 2);
      assertTrue(purge(container, 2) <= CONSTANT + 200);
      assertEquals(30_000, history(container).size());
    }
  }

  @Test
  void neighbouring_places_that_are_changed_again_are_purged_with_few_seeks() {
    try (Container container = created()) {
      put(container, 1, range(0, 5000, 1));
      put(container, 2, range(0, 5000, 1));
      put(container, 3, range(0, 5000, 1));
      advance(container, 3);
      assertTrue(purge(container, 3) <= CONSTANT);
      assertEquals(5000, history(container).size());
      assertTrue(history(container).stream().allMatch(version -> version.transaction() == 3));
    }
  }

  @Test
  void distant_places_that_are_changed_again_are_purged_with_one_seek_each() {
    try (Container container = created()) {
      put(container, 1, range(0, 5000, 1));
      for (long transaction = 2; transaction <= 5; transaction++) {
        put(container, transaction, range(0, 5000, 100));
      }
      advance(container, 5);
      assertTrue(purge(container, 5) <= CONSTANT + 50);
      assertEquals(5000, history(container).size());
    }
  }

  @Test
  void a_purge_after_a_reopening_finds_the_versions_before() {
    try (Container container = created()) {
      put(container, 1, range(0, 100, 1));
      put(container, 2, range(0, 100, 2));
      advance(container, 2);
    }
    try (Container container = opened()) {
      put(container, 3, range(0, 100, 3));
      advance(container, 3);
      var unused = purge(container, 3);
      assertEquals(100, history(container).size());
    }
  }

  @Test
  void a_lower_transaction_that_changes_a_place_later_is_purged() {
    for (long purged : new long[] {3, 5}) {
      try (Container container = created()) {
        try (Changes higher = container.shard(0).change(5);
            Changes lower = container.shard(0).change(3)) {
          higher.put(tile(1), SMALL);
          lower.put(tile(1), LARGE);
          lower.prepare(Durability.BUFFERED);
          higher.prepare(Durability.BUFFERED);
        }
        advance(container, 5);
        long unused = purge(container, purged);
        unused = purge(container, 5);
        assertEquals(
            List.of(new Version(tile(1), 5, OptionalLong.of(SMALL.byteSize()))),
            history(container));
      }
      engine.remove(location());
    }
  }

  @Test
  void random_changes_leave_the_newest_versions() {
    for (long seed = 0; seed < 20; seed++) {
      var random = new Random(seed);
      var kept = new TreeMap<Long, Long>();
      Container container = created();
      for (long transaction = 1; transaction <= 30; transaction++) {
        try (Changes changes = container.shard(0).change(transaction)) {
          for (int i = random.nextInt(20); i > 0; i--) {
            long number = random.nextInt(40);
            if (random.nextInt(3) == 0) {
              changes.remove(tile(number));
              kept.remove(number);
            } else {
              changes.put(tile(number), random.nextBoolean() ? SMALL : LARGE);
              kept.put(number, transaction);
            }
            if (random.nextInt(10) == 0) {
              changes.flush();
            }
          }
          changes.prepare(Durability.BUFFERED);
        }
        advance(container, transaction);
        if (random.nextInt(4) == 0) {
          long unused = purge(container, transaction - random.nextInt(2));
        }
        if (random.nextInt(10) == 0) {
          container.close();
          container = opened();
        }
      }
      long unused = purge(container, 30);
      var found = new TreeMap<Long, Long>();
      for (Version version : history(container)) {
        assertFalse(version.isRemoved());
        found.put(((Place.Tile) version.place()).number(), version.transaction());
      }
      assertEquals(kept, found, "seed " + seed);
      container.close();
      engine.remove(location());
    }
  }

  @Test
  void a_filter_never_forgets_a_place_and_seldom_invents_one() {
    var filter = new PlaceFilter();
    int invented = 0;
    for (int i = 0; i < 300_000; i++) {
      if (!filter.add(tile(i))) {
        invented++;
      }
      assertFalse(filter.add(tile(i / 2)));
    }
    assertTrue(invented < 5000, "invented: " + invented);
  }

  @Test
  void the_space_of_purged_tiles_is_used_again() throws IOException {
    var random = new SplittableRandom(5);
    int tiles = 64;
    MemorySegment tile = MemorySegment.ofArray(new byte[1 << 20]);
    try (Container container = created()) {
      for (long transaction = 1; transaction <= 60; transaction++) {
        try (Changes changes = container.shard(0).change(transaction)) {
          for (int n = 0; n < (transaction == 1 ? tiles : tiles / 4); n++) {
            changes.put(tile(transaction == 1 ? n : random.nextInt(tiles)), tile);
          }
          changes.prepare(Durability.SYNCED);
        }
        advance(container, transaction);
        container.shard(0).purge(transaction);
      }
      assertEquals(tiles, history(container).size());
    }
    assertTrue(engine.bytes(location()) < 8L * tiles << 20, "bytes: " + engine.bytes(location()));
  }
}
