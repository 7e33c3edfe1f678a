package io.skerry.cache.request;

import io.skerry.cache.api.ChunkChange;
import io.skerry.cache.api.ChunkChange.Base;
import io.skerry.cache.api.ChunkChange.Coverage;
import io.skerry.cache.api.ChunkChange.WhenSame;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Dirty;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Held;
import io.skerry.cache.table.ChunkState.Loading;
import io.skerry.cache.table.ChunkState.Located;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import io.skerry.cache.table.Saturating;
import io.skerry.chunk.format.MemoryChunk;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Changes that are computed and published together. For use by one thread, which holds the tickets.
 */
final class WriteBatch implements AutoCloseable {
  private final List<Item> items;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Loader loader;
  private final Map<DatasetChunks, Pins> pins = new LinkedHashMap<>();
  private final Map<DatasetChunks, List<Long>> toLoad = new LinkedHashMap<>();
  private long needed;
  private List<Made> all = List.of();

  WriteBatch(List<Item> items, Ledger ledger, Evictor evictor, Loader loader) {
    this.items = items;
    this.ledger = ledger;
    this.evictor = evictor;
    this.loader = loader;
  }

  /** A change to one chunk. */
  record Item(DatasetChunks dataset, ChunkChange change, long number) {
    Item(DatasetChunks dataset, ChunkChange change) {
      this(dataset, change, dataset.number(change.chunk()));
    }

    private boolean isWhole() {
      return change.coverage() == Coverage.WHOLE;
    }

    /** Returns the estimated maximum size of the chunk, in bytes. */
    long mostBytes() {
      return isWhole() ? dataset.sizes().full() : dataset.sizes().most();
    }

    private boolean startsFromNothing() {
      return change.base() == Base.REPLACED;
    }
  }

  /**
   * The result of a change.
   *
   * @param item the change
   * @param from the version from which the next version was computed; empty if the change does not
   *     depend on an earlier version
   * @param to the next version
   */
  private record Made(Item item, Optional<MemoryChunk> from, MemoryChunk to) {
    /** Returns the version to publish in place of the given current version. */
    MemoryChunk over(MemoryChunk present) {
      boolean isBase =
          item.startsFromNothing() || from.filter(old -> isSame(old, present)).isPresent();
      return isBase ? to : item.change().apply(present);
    }
  }

  /** Returns the number of changes. */
  int size() {
    return items.size();
  }

  /**
   * Pins the chunks that are in memory.
   *
   * @return the number of changes whose chunk is in memory
   */
  int pin() {
    int pinned = 0;
    for (Item item : items) {
      DatasetChunks dataset = item.dataset();
      Entry entry = dataset.chunks().get(item.number());
      if (pins.computeIfAbsent(dataset, _ -> new Pins(ledger)).add(entry)) {
        pinned++;
        dataset.used(entry);
        needed = Saturating.sum(needed, Math.max(0, item.mostBytes() - entry.bytes()));
      } else {
        needed = Saturating.sum(needed, item.mostBytes());
        if (!item.startsFromNothing()) {
          toLoad.computeIfAbsent(dataset, _ -> new ArrayList<>()).add(item.number());
        }
      }
    }
    return pinned;
  }

  /** Returns the datasets that are changed. */
  Collection<DatasetChunks> datasets() {
    return pins.keySet();
  }

  /** Returns the estimated growth of the chunks in memory, in bytes. */
  long neededBytes() {
    return needed;
  }

  /** Loads and pins the chunks that are not in memory and on which changes are based. */
  void load(Room room, WorkerPool.Crew crew) {
    toLoad.forEach((dataset, numbers) ->
        loader.load(dataset, numbers, room, crew, new PinningReceiver(pins(dataset))));
  }

  private Pins pins(DatasetChunks dataset) {
    return Objects.requireNonNull(pins.get(dataset));
  }

  private record PinningReceiver(Pins pins) implements Loader.Receiver {
    @Override
    public void claimed(int index, Entry entry) {
      pins.addClaimed(entry);
    }

    @Override
    public void loaded(int index, MemoryChunk chunk) {
      // The chunk has been pinned since it was claimed.
    }

    @Override
    public boolean found(int index, Entry entry, MemoryChunk chunk) {
      return pins.add(entry);
    }
  }

  /** Computes the new versions. */
  void make(WorkerPool.Crew crew) {
    List<Callable<Made>> tasks = new ArrayList<>();
    items.forEach(item -> tasks.add(() -> made(item)));
    all = crew.runAll(tasks);
  }

  private Made made(Item item) {
    if (item.startsFromNothing()) {
      return new Made(item, Optional.empty(), item.change().apply(item.dataset().fresh()));
    }
    MemoryChunk present = pins(item.dataset()).chunk(item.number());
    return new Made(item, Optional.of(present), item.change().apply(present));
  }

  /** Publishes the new versions. */
  void publish(Room room) {
    List<Entry> entered = new ArrayList<>();
    try {
      for (Made made : all) {
        if (made.item().startsFromNothing()) {
          replace(made, room, entered);
        } else {
          Entry entry = pins(made.item().dataset()).find(made.item().number()).orElseThrow();
          while (!publish(made, entry, room)) {
            Thread.onSpinWait();
          }
        }
      }
    } finally {
      evictor.arrived(entered);
    }
  }

  /**
   * Tries to publish a version of a pinned chunk.
   *
   * @return false if the chunk has changed in the meantime
   */
  private boolean publish(Made made, Entry entry, Room room) {
    if (!(entry.state() instanceof Held held)) {
      throw new IllegalStateException(
          "the chunk was dropped while it is written: chunk="
              + made.item().dataset().key(entry.number())
              + " dataset="
              + made.item().dataset());
    }
    return overwritten(made, entry, held, room);
  }

  private boolean overwritten(Made made, Entry entry, Held held, Room room) {
    MemoryChunk next = made.over(held.chunk());
    boolean stays = isSame(next, held.chunk()) && made.item().change().whenSame() == WhenSame.LEFT;
    return stays ? noted(made, entry) : changed(made, entry, held, next, room);
  }

  private boolean changed(Made made, Entry entry, ChunkState seen, MemoryChunk to, Room room) {
    Dirty next = new Dirty(to);
    boolean won = ledger.change(entry, seen, next);
    if (won) {
      room.took(Math.max(0, next.bytes() - seen.bytes()));
      made.item().dataset().saw(to);
    }
    return won && noted(made, entry);
  }

  /**
   * Publishes a version that does not depend on the previous one, whether the chunk is in memory or
   * not.
   */
  private void replace(Made made, Room room, List<Entry> entered) {
    DatasetChunks dataset = made.item().dataset();
    boolean done = false;
    while (!done) {
      Entry entry = dataset.chunks().get(made.item().number());
      ChunkState seen = entry.state();
      switch (seen) {
        case Held held -> done = overwritten(made, entry, held, room);
        case Located _ -> done = changed(made, entry, seen, made.to(), room);
        // The wait is not interruptible, because parts of this write may already have been
        // published.
        case Loading loading -> loading.awaitUninterrupted();
        case Gone _ -> {
          Dirty first = new Dirty(made.to());
          Entry mine = new Entry(dataset, made.item().number(), first);
          done = ledger.enter(mine) == mine;
          if (done) {
            room.took(Entry.OVERHEAD + first.bytes());
            dataset.saw(made.to());
            entered.add(mine);
            noted(made, mine);
          }
        }
      }
    }
  }

  private static boolean noted(Made made, Entry entry) {
    if (!made.item().isWhole()) {
      entry.usedInPart();
    }
    return true;
  }

  /** Compares versions by identity. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(MemoryChunk one, MemoryChunk other) {
    return one == other;
  }

  @Override
  public void close() {
    pins.values().forEach(Pins::close);
  }
}
