package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineOptions;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;

class BatchPairTest {
  private static final byte[] KEY = {1};
  private static final ShardIdentity IDENTITY = new ShardIdentity(new UUID(1, 2), 0);

  @TempDir Path folder;
  private Cache cache;
  private ShardStore store;

  @BeforeEach
  void create() {
    NativeLibrary.load(folder.toString());
    cache = new LRUCache(1 << 20);
    ShardStore.create(shard(), IDENTITY, cache, Faults.of(shard()));
    open(ContainerAccess.WRITE);
  }

  private Path shard() {
    return folder.resolve("shard");
  }

  private void open(ContainerAccess access) {
    store =
        ShardStore.open(
            shard(), IDENTITY, access, EngineOptions.DEFAULT, cache, Faults.of(shard()));
  }

  @AfterEach
  void close() {
    cache.close();
  }

  @Test
  void batches_are_written_in_the_order_in_which_they_were_filled() throws Exception {
    try (BatchPair batches = new BatchPair(store)) {
      for (byte i = 0; i < 100; i++) {
        batches.batch().put(KEY, new byte[] {i});
        batches.startWriting();
        assertTrue(batches.isEmpty());
      }
      batches.finish(Durability.SYNCED);
      assertArrayEquals(new byte[] {99}, store.get(KEY).orElseThrow());
    }
    store.close();
  }

  @Test
  void a_write_that_fails_in_the_thread_is_thrown_by_all_later_calls() throws Exception {
    store.close();
    // A database that is open for reading refuses the write, but not its start.
    open(ContainerAccess.READ);
    try (BatchPair batches = new BatchPair(store)) {
      batches.batch().put(KEY, new byte[] {1});
      batches.startWriting();
      batches.batch().put(KEY, new byte[] {2});
      assertThrows(EngineException.class, batches::startWriting);
      assertThrows(EngineException.class, () -> batches.finish(Durability.BUFFERED));
    }
    store.close();
  }

  @Test
  void a_write_of_a_closed_database_is_refused() throws Exception {
    try (BatchPair batches = new BatchPair(store)) {
      batches.batch().put(KEY, new byte[] {1});
      store.close();
      assertThrows(IllegalStateException.class, batches::startWriting);
      assertThrows(IllegalStateException.class, () -> batches.finish(Durability.SYNCED));
    }
  }

  @Test
  void a_large_value_fits_a_batch_without_growth_after_room_was_made() throws Exception {
    try (BatchPair batches = new BatchPair(store)) {
      assertTrue(batches.lacksRoomFor(20 << 20));
      batches.reserve(20 << 20);
      assertTrue(!batches.lacksRoomFor(20 << 20));
      batches.batch().put(KEY, new byte[20 << 20]);
      assertTrue(batches.isFull() && batches.lacksRoomFor(1 << 20));
    }
    store.close();
  }
}
