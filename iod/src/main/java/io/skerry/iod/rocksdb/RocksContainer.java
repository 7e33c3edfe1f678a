package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.ClosedTogether;
import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.engine.shard.AbstractContainer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;

/** An open container, or an open snapshot of one. */
final class RocksContainer extends AbstractContainer<RocksShard> {
  private final ContainerFolder folder;
  private final ContainerAccess access;
  private final Cache cache;
  private final List<ShardLock> locks = new ArrayList<>();
  private final RocksSnapshots snapshots;
  private volatile boolean isClosed;

  private RocksContainer(
      EngineLocation location,
      ContainerFolder folder,
      Manifest manifest,
      ContainerAccess access,
      Cache cache) {
    super(location, folder.path().toString(), manifest);
    this.folder = folder;
    this.access = access;
    this.cache = cache;
    this.snapshots = new RocksSnapshots(folder, manifest, open(), this::requireOpen);
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("the container is closed: container=" + folder.path());
    }
  }

  static RocksContainer open(
      EngineLocation location, ContainerFolder folder, Manifest manifest, Opening opening)
      throws IOException {
    Set<Integer> wanted = opening.shardsOf(manifest.info());
    RocksContainer container =
        new RocksContainer(
            location,
            folder,
            manifest,
            opening.access(),
            new LRUCache(opening.options().cacheBytes()));
    boolean kept = false;
    try {
      // Shard 0 first: shards opened after its readable mark contain all transactions up to it.
      for (int number : wanted) {
        container.openShard(number, opening);
      }
      container.checkPurges();
      kept = true;
      return container;
    } finally {
      if (!kept) {
        container.close();
      }
    }
  }

  private void openShard(int number, Opening opening) throws IOException {
    if (!Files.isDirectory(folder.shard(number))) {
      throw new ContainerException(
          Reason.WRONG_SHARD, folder.shard(number).toString(), "the folder of a shard", "none");
    }
    if (access == ContainerAccess.WRITE) {
      locks.add(ShardLock.take(folder.lock(number)));
    }
    ShardStore store =
        ShardStore.open(
            folder.shard(number),
            new ShardIdentity(manifest().info().id(), number),
            access,
            opening.options(),
            cache,
            faults().ofShard(number));
    boolean kept = false;
    try {
      add(new RocksShard(number, store, opening.options().largeValueBytes()));
      kept = true;
    } finally {
      if (!kept) {
        store.close();
      }
    }
  }

  /**
   * Checks that no shard was purged above the readable mark, if this process knows the mark;
   * otherwise all reads would be rejected.
   */
  private void checkPurges() {
    if (!served().contains(0)) {
      return;
    }
    long mark = readableMark();
    open()
        .forEach(shard -> {
          if (shard.oldest() > mark) {
            throw faults()
                .ofShard(shard.number())
                .of(
                    new FormatException(
                        "transaction of the last purge",
                        "at most the readable mark " + mark,
                        shard.oldest()));
          }
        });
  }

  private Faults faults() {
    return Faults.of(folder.path());
  }

  @Override
  protected boolean replaceMark(RocksShard first, long expected, long next) {
    ShardStore store = first.store();
    if (store.number(StoreKeys.mark()) != expected) {
      return false;
    }
    requireFolder();
    store.putNumber(StoreKeys.mark(), next, Durability.SYNCED);
    return true;
  }

  /**
   * Checks that the container has not been removed: files that are open can still be written, but
   * no opening finds them again.
   */
  private void requireFolder() {
    if (!folder.isComplete()) {
      throw new ContainerException(
          Reason.MISSING, folder.path().toString(), "the container that is open", "none");
    }
  }

  @Override
  public boolean isPersistedByMark(int shard) {
    // The mark is written to the log of shard 0 with a sync, after the changes of this shard.
    return shard == 0;
  }

  @Override
  public Snapshots snapshots() {
    return snapshots;
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    ClosedTogether parts = new ClosedTogether();
    open().forEach(shard -> parts.run(shard::close));
    parts.run(cache::close);
    locks.forEach(lock -> parts.run(() -> release(lock)));
    parts.throwFailure();
  }

  private void release(ShardLock lock) {
    try {
      lock.close();
    } catch (IOException e) {
      throw faults().of(e);
    }
  }
}
