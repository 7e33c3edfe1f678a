package io.skerry.cache;

import io.skerry.cache.ChunkState.Encoded;
import io.skerry.cache.ChunkState.Unstored;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Encodes versions in the workers and has them stored, all with one access to the file. One thread
 * at a time does: of two versions of a chunk the newer is stored last.
 */
final class Storer {
  private final ReentrantLock storing = new ReentrantLock();
  private final ChunkStore store;
  private final WorkerPool workers;
  private final Counters counters;

  Storer(ChunkStore store, WorkerPool workers, Counters counters) {
    this.store = store;
    this.workers = workers;
    this.counters = counters;
  }

  boolean storesAnyTime(DatasetChunks dataset) {
    return store.storesAnyTime(dataset.id());
  }

  /**
   * Keeps everybody from storing, this thread included, until it is closed by the same thread: what
   * has to go meanwhile stays.
   */
  Pause pause() {
    storing.lock();
    return storing::unlock;
  }

  /** While it is open nothing is stored by others. */
  interface Pause extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * What was stored of an entry.
   *
   * @param stored the state whose version it was; the entry may be in another by now
   */
  record Stored(Entry entry, Unstored stored) {}

  /**
   * Stores the present versions of entries.
   *
   * @return those that were not stored yet
   * @throws RuntimeException if one cannot be encoded or stored; all are as they were
   */
  List<Stored> store(List<Entry> entries) {
    if (storing.isHeldByCurrentThread()) {
      return List.of();
    }
    storing.lock();
    try {
      List<Stored> versions = new ArrayList<>();
      List<Callable<ChunkStore.Image>> tasks = new ArrayList<>();
      for (Entry entry : entries) {
        if (entry.state() instanceof Unstored state) {
          versions.add(new Stored(entry, state));
          tasks.add(() -> image(entry, state));
        }
      }
      store.store(workers.runAll(tasks));
      counters.stores.add(versions.size());
      return versions;
    } finally {
      storing.unlock();
    }
  }

  /** The image of a version, made now unless it was made ahead. For workers. */
  ChunkStore.Image image(Entry entry, Unstored state) {
    ChunkKey key = entry.dataset().key(entry.number());
    return switch (state) {
      case Encoded(_, var image) -> new ChunkStore.Image(key, image);
      case ChunkState.Dirty(var chunk) -> {
        counters.encodes.increment();
        yield new ChunkStore.Image(key, store.encode(key, chunk));
      }
    };
  }
}
