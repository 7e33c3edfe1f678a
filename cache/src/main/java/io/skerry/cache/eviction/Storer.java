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
 * Encodes versions in the workers and has them stored, all with one access to the file. One thread
 * at a time does: of two versions of a chunk the newer is stored last.
 */
public final class Storer {
  /** Fair, so that a flush is not kept waiting by one eviction after the other. */
  private final ReentrantLock storing = new ReentrantLock(true);

  /** How many pauses there are; for whom it is the turn. */
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

  /** Returns whether a dataset's chunks are stored when their room is needed. */
  boolean storesAnyTime(DatasetChunks dataset) {
    return store.storesAnyTime(dataset.id());
  }

  /** While it is open nothing is stored by other threads; to be closed by the same one. */
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** What becomes of who waits for others to store if his thread is interrupted. */
  public enum Patience {
    /** He leaves. */
    UNTIL_INTERRUPTED,
    /** He waits all the same: part of what he does is done already. */
    TO_THE_END
  }

  /** Waits until nobody else stores. */
  Turn turn(Patience patience) {
    return switch (patience) {
      case UNTIL_INTERRUPTED -> turn();
      case TO_THE_END -> lockUninterruptibly();
    };
  }

  /**
   * The same for who leaves if he is interrupted.
   *
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  Turn turn() {
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

  /** The same for what has to be done whatever becomes of the thread. */
  public Turn lockUninterruptibly() {
    storing.lock();
    return storing::unlock;
  }

  /**
   * Waits until nobody else stores, and lets this thread store nothing either. An interrupt does
   * not end the wait: a file that closes, or a write of which half is done, has nowhere to go.
   */
  public Turn pause() {
    Turn unused = lockUninterruptibly();
    pauses++;
    return () -> {
      pauses--;
      storing.unlock();
    };
  }

  /** Returns whether this thread has a pause. */
  boolean isPausedHere() {
    return storing.isHeldByCurrentThread() && pauses > 0;
  }

  /** As {@link #turn} for who does not want to wait; empty if somebody else stores. */
  Optional<Turn> tryTurn() {
    return storing.tryLock() ? Optional.of(storing::unlock) : Optional.empty();
  }

  /**
   * What was stored of an entry.
   *
   * @param state whose version it was; the entry may be in another by now
   */
  record Stored(Entry entry, Unstored state) {
    /** Whether this is what was stored, and nobody knows that it is. */
    // Versions are told apart by what they are, not by what is in them.
    @SuppressWarnings("ReferenceEquality")
    boolean isVersionOf(ChunkState now) {
      return now instanceof Unstored unstored && unstored.chunk() == state.chunk();
    }
  }

  /**
   * Stores the present versions of entries. Only for whom it is the turn.
   *
   * @return those that were not stored yet
   * @throws RuntimeException if one cannot be encoded or stored; all are as they were
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

  /** The image of a version, made now unless it was made ahead. For workers. */
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
