package io.skerry.cache.eviction;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.jfr.CacheEvents.Reason;
import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Encoded;
import io.skerry.cache.table.ChunkState.Unstored;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Encodes versions on workers and stores them together. Only one thread stores at a time, so if two
 * versions of a chunk are stored, the newer one is stored last.
 */
public final class Storer {
  /** Fair, so that a flush need not wait for a series of evictions. */
  private final ReentrantLock storing = new ReentrantLock(true);

  /** Number of pauses in effect in the thread that holds the store lock; guarded by that lock. */
  private int pauses;

  private final ChunkStore store;
  private final WorkerPool workers;
  private final Counters counters;
  private final CacheEvents events;

  public Storer(ChunkStore store, WorkerPool workers, Counters counters, CacheEvents events) {
    this.store = store;
    this.workers = workers;
    this.counters = counters;
    this.events = events;
  }

  /** Returns whether chunks of a dataset may be stored whenever the cache needs memory. */
  boolean storesAnyTime(DatasetChunks dataset) {
    return store.storesAnyTime(dataset.id());
  }

  /**
   * A hold on the store lock. Until this object is closed, no other thread stores chunks. The
   * thread that acquired the lock must close the object.
   */
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** Behavior of a thread that is interrupted while it waits for the store lock. */
  public enum Patience {
    /** The wait ends with an exception. */
    UNTIL_INTERRUPTED,
    /** The wait continues, because part of the operation is complete. */
    TO_THE_END
  }

  /** Acquires the store lock. */
  Turn turn(Patience patience) {
    return switch (patience) {
      case UNTIL_INTERRUPTED -> turn();
      case TO_THE_END -> lockUninterruptibly();
    };
  }

  /**
   * Acquires the store lock. If another thread holds the lock, an interrupt ends the wait.
   *
   * @throws RequestInterruptedException if another thread holds the lock and the calling thread is
   *     interrupted
   */
  public Turn turn() {
    if (storing.isHeldByCurrentThread() || !storing.isLocked()) {
      storing.lock();
    } else {
      try (var _ = events.waiting(Reason.STORE, () -> "")) {
        storing.lockInterruptibly();
      } catch (InterruptedException e) {
        throw new RequestInterruptedException("interrupted while others stored chunks", e);
      }
    }
    return storing::unlock;
  }

  /** Acquires the store lock without regard to interrupts. */
  public Turn lockUninterruptibly() {
    storing.lock();
    return storing::unlock;
  }

  /**
   * Acquires the store lock and prevents the calling thread from storing chunks too. An interrupt
   * does not end the wait.
   */
  public Turn pause() {
    Turn unused = lockUninterruptibly();
    pauses++;
    return () -> {
      pauses--;
      storing.unlock();
    };
  }

  /** Returns whether a {@link #pause} of the calling thread is in effect. */
  boolean isPausedHere() {
    return storing.isHeldByCurrentThread() && pauses > 0;
  }

  /**
   * Acquires the store lock if it is free. The result is empty if another thread holds the lock.
   */
  Optional<Turn> tryTurn() {
    return storing.tryLock() ? Optional.of(storing::unlock) : Optional.empty();
  }

  /**
   * A version of an entry that was stored.
   *
   * @param entry the entry, which may be in a different state by now
   * @param state the state that contained the version when it was stored
   */
  record Stored(Entry entry, Unstored state) {
    /** Returns whether a state contains this version and does not mark it as stored. */
    // Versions are compared by identity.
    @SuppressWarnings("ReferenceEquality")
    boolean isVersionOf(ChunkState now) {
      return now instanceof Unstored unstored && unstored.chunk() == state.chunk();
    }
  }

  /**
   * Encodes and stores the current versions of entries. The caller holds the store lock.
   *
   * @return the versions that were stored; entries without an unstored version are omitted
   * @throws RuntimeException if a version cannot be encoded or stored; in that case, no entry has
   *     changed
   */
  List<Stored> store(List<Entry> entries) {
    List<Stored> versions = new ArrayList<>();
    List<Callable<ChunkStore.Image>> tasks = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.state() instanceof Unstored state) {
        versions.add(new Stored(entry, state));
        tasks.add(() -> image(entry, state));
      }
    }
    CacheEvents.Batch stores = events.storing(versions.stream().map(Stored::entry).toList());
    store.store(workers.runAll(tasks));
    counters.stores.add(versions.size());
    for (int i = 0; i < versions.size(); i++) {
      stores.done(i, versions.get(i).state().chunk().bytes());
    }
    return versions;
  }

  /**
   * Returns the image of a version; encodes the version unless it was encoded ahead. Called by
   * workers.
   */
  public ChunkStore.Image image(Entry entry, Unstored state) {
    ChunkKey key = entry.dataset().key(entry.number());
    return switch (state) {
      case Encoded(_, var image) -> new ChunkStore.Image(key, image);
      case ChunkState.Dirty(var chunk) -> {
        ChunkStore.Image image = new ChunkStore.Image(key, store.encode(key, chunk));
        counters.encodes.increment();
        yield image;
      }
    };
  }
}
