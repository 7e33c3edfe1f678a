package io.skerry.cache.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Storer;
import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Clean;
import io.skerry.cache.table.ChunkState.Dirty;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Held;
import io.skerry.cache.table.ChunkState.Loading;
import io.skerry.cache.table.ChunkState.Located;
import io.skerry.cache.table.ChunkState.Unstored;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Provides access to individual chunks by key, for code that manages the changes to them itself:
 * operations that involve several ranks, flushes, and extent changes. Thread-safe, but each method
 * that removes chunks states which other operations the caller must exclude. A method that takes a
 * key throws {@link NullPointerException} if the dataset is not open.
 *
 * <p>Such code looks up versions and publishes new ones. The cache keeps an unstored version until
 * an eviction stores that version, or until the code calls {@link #allStored}.
 */
public final class KeyedChunks {
  private final Map<Long, DatasetChunks> datasets;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Storer storer;
  private final Counters counters;
  private final CacheEvents events;

  /**
   * Creates an object that accesses the chunks of a cache.
   *
   * @param datasets the open datasets, by the addresses of their object headers
   */
  KeyedChunks(
      Map<Long, DatasetChunks> datasets,
      Ledger ledger,
      Evictor evictor,
      Storer storer,
      Counters counters,
      CacheEvents events) {
    this.datasets = datasets;
    this.ledger = ledger;
    this.evictor = evictor;
    this.storer = storer;
    this.counters = counters;
    this.events = events;
  }

  private DatasetChunks dataset(ChunkKey key) {
    return Objects.requireNonNull(
        datasets.get(key.dataset()), () -> "not an open dataset: key=" + key);
  }

  private Entry entry(ChunkKey key) {
    DatasetChunks dataset = dataset(key);
    return dataset.chunks().get(dataset.number(key.chunk()));
  }

  /** Returns the newest version of a chunk; empty if the chunk is not in memory. */
  public Optional<MemoryChunk> find(ChunkKey key) {
    DatasetChunks dataset = dataset(key);
    return dataset.find(dataset.number(key.chunk()));
  }

  /** Returns the newest version of a chunk if it is newer than the stored one; otherwise empty. */
  public Optional<MemoryChunk> unstored(ChunkKey key) {
    return entry(key).state() instanceof Unstored state
        ? Optional.of(state.chunk())
        : Optional.empty();
  }

  /** Publishes a new version of a chunk. The version is not stored in the file yet. */
  public void putUnstored(ChunkKey key, MemoryChunk chunk) {
    put(key, new Dirty(chunk), _ -> true);
  }

  /**
   * Adds the stored version of a chunk to the cache. Has no effect if a version is already in
   * memory.
   */
  public void putStored(ChunkKey key, MemoryChunk chunk) {
    put(key, new Clean(chunk), state -> !(state instanceof Held));
    evictor.trimAfterwards();
  }

  private void put(ChunkKey key, Held next, Predicate<ChunkState> replaces) {
    DatasetChunks dataset = dataset(key);
    long number = dataset.number(key.chunk());
    dataset.saw(next.chunk());
    boolean done = false;
    while (!done) {
      Entry entry = dataset.chunks().get(number);
      ChunkState seen = entry.state();
      switch (seen) {
        case Gone _ -> {
          Entry mine = new Entry(dataset, number, next);
          done = ledger.enter(mine) == mine;
          if (done) {
            evictor.arrived(List.of(mine));
          }
        }
        // The loading thread must have finished reading before the next version is stored.
        case Loading loading -> loading.awaitUninterrupted();
        case Held _, Located _ -> done = !replaces.test(seen) || ledger.change(entry, seen, next);
      }
    }
  }

  /**
   * Returns the total size of the versions that are newer than the stored ones, including their
   * entries, in bytes.
   */
  public long unstoredBytes() {
    return ledger.unstored();
  }

  /** Returns all versions that are newer than the stored ones, by key, in a new map. */
  public SortedMap<ChunkKey, MemoryChunk> unstored() {
    TreeMap<ChunkKey, MemoryChunk> found = new TreeMap<>();
    for (DatasetChunks dataset : datasets.values()) {
      dataset
          .chunks()
          .forEach(entry -> {
            if (entry.state() instanceof Unstored state) {
              found.put(dataset.key(entry.number()), state.chunk());
            }
          });
    }
    return found;
  }

  /** Returns the chunks of a dataset that have a version newer than the stored one. */
  public List<ChunkCoordinates> unstored(DatasetChunks dataset) {
    List<ChunkCoordinates> found = new ArrayList<>();
    dataset
        .chunks()
        .forEach(entry -> {
          if (entry.state() instanceof Unstored) {
            found.add(dataset.numbers().point(entry.number()));
          }
        });
    return found;
  }

  /**
   * Returns the image of the unstored version of a chunk. Encodes the version now, unless it was
   * encoded ahead. Called by workers.
   *
   * @return the image; empty if the chunk must be deleted
   * @throws IllegalStateException if the chunk has no unstored version
   */
  public Optional<ChunkImage> encode(ChunkKey key) {
    Entry entry = entry(key);
    if (entry.state() instanceof Unstored state) {
      return storer.image(entry, state).image();
    }
    throw new IllegalStateException("nothing to store: chunk=" + key);
  }

  /**
   * Marks all unstored versions as stored, and removes those without defined elements. The caller
   * must ensure that no other version was published or stored since it read these versions, for
   * example by holding the result of {@link ChunkCache#quiet}.
   */
  public void allStored() {
    for (DatasetChunks dataset : datasets.values()) {
      dataset.chunks().forEach(this::stored);
    }
    evictor.trimAfterwards();
  }

  private void stored(Entry entry) {
    ChunkState seen = entry.state();
    while (seen instanceof Unstored state) {
      boolean isEmpty = state.chunk().definedCount() == 0;
      if (change(entry, state, isEmpty ? Gone.INSTANCE : new Clean(state.chunk()))) {
        counters.stores.increment();
        events.flushed(entry, state.chunk().bytes());
        evictor.stored(entry);
      }
      // The change fails if the version has been encoded in the meantime; in that case, the change
      // is tried again.
      seen = entry.state();
    }
  }

  private boolean change(Entry entry, ChunkState seen, ChunkState next) {
    boolean won = ledger.change(entry, seen, next);
    if (won && next instanceof Gone) {
      evictor.left(entry);
    }
    return won;
  }

  /**
   * Removes the cached copies of the stored chunks of a dataset, except those in {@code keep}.
   * Reads may be running, but writes must not be: a write that had started from a removed copy
   * could not publish its result.
   *
   * @param id address of the object header of the dataset
   * @param keep the chunks whose copies are kept
   */
  public void forgetStored(long id, Set<ChunkKey> keep) {
    drop(
        id,
        (entry, state) ->
            !(state instanceof Unstored) && !keep.contains(entry.dataset().key(entry.number())));
  }

  /**
   * Removes the cached copy of a stored chunk, if there is one. No write to the chunk may be
   * running.
   */
  public void forgetStored(ChunkKey key) {
    drop(entry(key), (_, state) -> !(state instanceof Unstored));
  }

  /**
   * Removes all chunks of a dataset that is deleted or no longer in use, including unstored
   * versions. No other thread may use the dataset. When this method returns, no prefetch of the
   * dataset is running.
   *
   * @param id address of the object header of the dataset
   */
  public void forget(long id) {
    DatasetChunks left = datasets.remove(id);
    if (left != null) {
      // A running store must finish before the addresses of the dataset and of its chunks are
      // reused.
      try (var _ = storer.lockUninterruptibly()) {
        left.end();
        left.chunks().forEach(entry -> drop(entry, (_, _) -> true));
        evictor.left(left);
      }
    }
    evictor.trimAfterwards();
  }

  /**
   * Adapts the cache to a new extent of a dataset: removes cached copies of stored chunks outside
   * the extent, and images that were encoded for the old extent. Unstored versions are kept. No
   * other thread may use the dataset. When this method returns, no prefetch outside the new extent
   * is running.
   *
   * @param id address of the object header of the dataset
   * @param shape the new shape of the dataset
   */
  public void reshape(long id, Shape shape) {
    DatasetChunks dataset = datasets.get(id);
    if (dataset != null) {
      // A running store uses the old extent and must finish first.
      try (var _ = storer.lockUninterruptibly()) {
        dataset.reshape(shape);
        dataset.chunks().forEach(this::withoutImage);
        drop(
            id,
            (entry, state) ->
                !(state instanceof Unstored)
                    && !dataset.isInside(dataset.numbers().point(entry.number()).scaled()));
      }
    }
    evictor.trimAfterwards();
  }

  /**
   * Discards the image of a chunk, even one that is still being encoded, because the image is valid
   * only for the old extent.
   */
  private void withoutImage(Entry entry) {
    ChunkState seen = entry.state();
    while (seen instanceof Unstored state && !ledger.change(entry, state, state.renewed())) {
      seen = entry.state();
    }
  }

  /** Condition under which a chunk is removed. */
  @FunctionalInterface
  private interface Which {
    boolean test(Entry entry, ChunkState state);
  }

  private void drop(long id, Which which) {
    DatasetChunks dataset = datasets.get(id);
    if (dataset != null) {
      dataset.chunks().forEach(entry -> drop(entry, which));
    }
  }

  private void drop(Entry entry, Which which) {
    ChunkState seen = entry.state();
    while (!(seen instanceof Gone) && which.test(entry, seen)) {
      if (change(entry, seen, Gone.INSTANCE) && seen instanceof Loading loading) {
        // A load must end before the address in the file is reused.
        loading.awaitUninterrupted();
      }
      seen = entry.state();
    }
  }
}
