package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.transaction.Answer;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.iod.transaction.Order;
import io.skerry.iod.transaction.Participant;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.LRUCache;

/** Tests removals that are interrupted or take long, and shards whose content is damaged. */
@Timeout(60)
class InterruptedRemovalTest {
  @TempDir Path folder;

  private final RocksProvider engine = new RocksProvider();
  private EngineLocation location;

  @BeforeEach
  void create() {
    location = EngineLocation.of("iod:" + folder.resolve("run"));
    engine.create(location, 1);
  }

  private static void write(Container container, long transaction, int places, int bytes) {
    try (var changes = container.shard(0).change(transaction)) {
      for (int n = 0; n < places; n++) {
        changes.put(new Place.Tile(1, n), MemorySegment.ofArray(new byte[bytes]));
      }
      changes.prepare(Durability.BUFFERED);
    }
    assertTrue(container.advance(transaction - 1, transaction));
  }

  private void written(int transactions, int places, int bytes) {
    try (var container = engine.open(location, Opening.writing())) {
      container.recover();
      for (int n = 1; n <= transactions; n++) {
        write(container, n, places, bytes);
      }
    }
  }

  /** Changes the database of the shard while the container is closed. */
  private void stored(Consumer<ShardStore> change) {
    var info = engine.info(location);
    var path = new ContainerFolder(folder.resolve("run"));
    try (var cache = new LRUCache(1 << 20);
        var store =
            ShardStore.open(
                path.shard(0),
                new ShardIdentity(info.id(), 0),
                ContainerAccess.WRITE,
                EngineOptions.DEFAULT,
                cache,
                Faults.of(path.path()).ofShard(0))) {
      change.accept(store);
    }
  }

  private List<String> findings() {
    var findings = new ArrayList<String>();
    try (var container = engine.open(location, Opening.reading())) {
      container.shard(0).verify(findings::add);
    }
    return findings;
  }

  @Test
  void an_interrupted_purge_is_no_finding_and_is_repeated_at_the_next_opening() {
    written(3, 5, 10);
    // A kill after the first write of a purge.
    stored(store -> store.putNumber(StoreKeys.oldest(), 3, Durability.SYNCED));
    assertEquals(List.of(), findings());
    try (var container = engine.open(location, Opening.writing())) {
      var answers = new ArrayList<Answer>();
      new Participant(container, Conflicts.UNDEFINED, answers::add)
          .receive(new Order.Recover(1, 3, 3));
      assertEquals(List.of(new Answer.Recovered(1)), answers);
      assertEquals(List.of(), container.shard(0).transactions());
    }
    assertEquals(List.of(), findings());
  }

  @Test
  void each_state_of_an_interrupted_purge_is_sound() {
    written(2, 2, 5000);
    stored(store -> {
      store.putNumber(StoreKeys.oldest(), 2, Durability.SYNCED);
      // The large value of a hidden version is removed before the version.
      try (var batch = new StoreBatch(store)) {
        batch.remove(StoreKeys.value(new Place.Tile(1, 0), 1));
        batch.write();
      }
    });
    assertEquals(List.of(), findings());
    stored(store -> {
      try (var batch = new StoreBatch(store)) {
        batch.remove(StoreKeys.version(new Place.Tile(1, 0), 1));
        batch.write();
      }
    });
    assertEquals(List.of(), findings());
    stored(store -> {
      try (var batch = new StoreBatch(store)) {
        batch.remove(StoreKeys.value(new Place.Tile(1, 1), 2));
        batch.write();
      }
    });
    assertEquals(1, findings().size());
  }

  @Test
  void versions_that_a_completed_purge_has_left_are_found() {
    written(3, 5, 10);
    stored(store -> store.putNumber(StoreKeys.oldest(), 3, Durability.SYNCED));
    stored(store -> store.putNumber(new byte[] {0, 3}, 3, Durability.SYNCED));
    assertFalse(findings().isEmpty());
  }

  @Test
  void a_change_does_not_wait_for_a_purge() throws InterruptedException {
    written(2, 60_000, 1);
    try (var container = engine.open(location, Opening.writing())) {
      container.recover();
      var shard = container.shard(0);
      var purging = new Thread(() -> shard.purge(2));
      purging.start();
      while (shard.oldest() < 2) {
        Thread.onSpinWait();
      }
      try (var changes = shard.change(3)) {
        // The last list of changes is removed at the end of the purge.
        assertTrue(shard.transactions().contains(2L));
        changes.put(new Place.Tile(2, 1), MemorySegment.ofArray(new byte[1]));
        purging.join();
      }
      assertEquals(List.of(), shard.transactions());
    }
  }

  @Test
  void a_damaged_key_does_not_end_the_verification_of_a_shard() {
    written(1, 3, 5000);
    var first = StoreKeys.version(new Place.Tile(0, 0), 1);
    first[9] = 77;
    var value = StoreKeys.value(new Place.Tile(0, 0), 1);
    value[9] = 77;
    var last = StoreKeys.version(new Place.Tile(2, 0), 1);
    last[9] = 77;
    stored(store -> {
      for (byte[] key : List.of(first, value, last)) {
        store.putNumber(key, 1, Durability.SYNCED);
      }
      store.putNumber(StoreKeys.changes(7, 0), 1, Durability.SYNCED);
    });
    var findings = findings();
    assertEquals(4, findings.size(), findings.toString());
  }

  @Test
  void the_snapshots_of_a_closed_container_cannot_be_used() {
    var container = engine.open(location, Opening.writing());
    container.recover();
    var snapshots = container.snapshots();
    snapshots.prepare("s", 0);
    snapshots.complete("s", 0);
    assertEquals(List.of("s"), snapshots.names());
    container.close();
    assertThrows(IllegalStateException.class, snapshots::names);
    assertThrows(IllegalStateException.class, () -> snapshots.delete("s"));
    assertThrows(IllegalStateException.class, () -> snapshots.prepare("t", 0));
    assertThrows(IllegalStateException.class, () -> container.snapshots().names());
    try (var snapshot = engine.open(location, Opening.ofSnapshot("s"))) {
      assertEquals(0, snapshot.readableMark());
    }
  }

  @Test
  void threads_that_prepare_one_snapshot_do_not_disturb_each_other() throws InterruptedException {
    written(1, 100, 5000);
    try (var container = engine.open(location, Opening.writing())) {
      container.recover();
      var failures = new ArrayList<Throwable>();
      var threads = new ArrayList<Thread>();
      for (int n = 0; n < 4; n++) {
        var thread =
            new Thread(() -> {
              for (int round = 0; round < 5; round++) {
                container.snapshots().prepare("s", 1);
              }
            });
        thread.setUncaughtExceptionHandler((_, e) -> {
          synchronized (failures) {
            failures.add(e);
          }
        });
        threads.add(thread);
        thread.start();
      }
      for (var thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), failures);
    }
  }

  @Test
  void a_size_of_large_values_above_that_of_the_largest_value_is_refused() {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> EngineOptions.DEFAULT.withLargeValueBytes(Long.MAX_VALUE));
    assertTrue(e.getMessage().contains("largeValueBytes"), e.getMessage());
  }
}
