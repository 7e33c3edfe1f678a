package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.Durability;
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

  @TempDir Path folder;
  private Cache cache;
  private ShardStore store;

  @BeforeEach
  void open() {
    NativeLibrary.load(folder.toString());
    cache = new LRUCache(1 << 20);
    Path shard = folder.resolve("shard");
    Faults faults = Faults.of(shard);
    ShardIdentity identity = new ShardIdentity(new UUID(1, 2), 0);
    ShardStore.create(shard, identity, cache, faults);
    store =
        ShardStore.open(
            shard, identity, ContainerAccess.WRITE, EngineOptions.DEFAULT, cache, faults);
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
  void a_failed_write_is_thrown_by_the_next_call_and_nothing_more_is_written() throws Exception {
    try (BatchPair batches = new BatchPair(store)) {
      batches.batch().put(KEY, new byte[] {1});
      store.close();
      batches.batch().put(KEY, new byte[] {2});
      assertThrows(
          IllegalStateException.class,
          () -> {
            batches.startWriting();
            batches.finish(Durability.BUFFERED);
          });
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
