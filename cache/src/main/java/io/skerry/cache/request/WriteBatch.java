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

/** Changes that are made and published together. For one thread, which holds the tickets. */
final class WriteBatch implements AutoCloseable {
  private final List<Item> items;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Loader loader;
  private final Map<DatasetChunks, Pins> holds = new LinkedHashMap<>();
  private final Map<DatasetChunks, List<Long>> toLoad = new LinkedHashMap<>();
  private long needed;
  private List<Made> all = List.of();

  WriteBatch(List<Item> items, Ledger ledger, Evictor evictor, Loader loader) {
    this.items = items;
    this.ledger = ledger;
    this.evictor = evictor;
    this.loader = loader;
  }

  /** A change of one chunk. */
  record Item(DatasetChunks dataset, ChunkChange change, long number) {
    Item(DatasetChunks dataset, ChunkChange change) {
      this(dataset, change, dataset.number(change.chunk()));
    }

    private boolean isWhole() {
      return change.coverage() == Coverage.WHOLE;
    }

    /** Bytes that the chunk will hardly exceed. */
    long mostBytes() {
      return isWhole() ? dataset.sizes().full() : dataset.sizes().most();
    }

    private boolean startsFromNothing() {
      return change.base() == Base.REPLACED;
    }
  }

  /** What a change makes of a version. */
  private record Made(Item item, Optional<MemoryChunk> from, MemoryChunk to) {
    /** What to publish over a version. */
    MemoryChunk over(MemoryChunk present) {
      boolean holds =
          item.startsFromNothing() || from.filter(old -> isSame(old, present)).isPresent();
      return holds ? to : item.change().apply(present);
    }
  }

  /** Number of changes. */
  int size() {
    return items.size();
  }

  /** Keeps what is in memory from being evicted. Tells how many chunks that are. */
  int hold() {
    int held = 0;
    for (Item item : items) {
      DatasetChunks dataset = item.dataset();
      Entry entry = dataset.chunks().get(item.number());
      if (holds.computeIfAbsent(dataset, _ -> new Pins(ledger)).add(entry)) {
        held++;
        dataset.used(entry);
        needed += Math.max(0, item.mostBytes() - entry.bytes());
      } else {
        needed = Saturating.sum(needed, item.mostBytes());
        if (!item.startsFromNothing()) {
          toLoad.computeIfAbsent(dataset, _ -> new ArrayList<>()).add(item.number());
        }
      }
    }
    return held;
  }

  /** The datasets that are changed. */
  Collection<DatasetChunks> datasets() {
    return holds.keySet();
  }

  /** Bytes by which what is in memory will grow, as far as is known. */
  long neededBytes() {
    return needed;
  }

  /** Loads what has to be known and is not there, and keeps it too. */
  void load(Room room, WorkerPool.Crew crew) {
    toLoad.forEach((dataset, numbers) ->
        loader.load(dataset, numbers, room, crew, new Customer(holds(dataset))));
  }

  private Pins holds(DatasetChunks dataset) {
    return Objects.requireNonNull(holds.get(dataset));
  }

  private record Customer(Pins holds) implements Loader.Customer {
    @Override
    public void claimed(int index, Entry entry) {
      holds.addClaimed(entry);
    }

    @Override
    public void loaded(int index, MemoryChunk chunk) {
      // It is held since it was claimed.
    }

    @Override
    public boolean found(int index, Entry entry, MemoryChunk chunk) {
      return holds.add(entry);
    }
  }

  /** Makes the new versions. */
  void make(WorkerPool.Crew crew) {
    List<Callable<Made>> tasks = new ArrayList<>();
    items.forEach(item -> tasks.add(() -> made(item)));
    all = crew.runAll(tasks);
  }

  private Made made(Item item) {
    if (item.startsFromNothing()) {
      return new Made(item, Optional.empty(), item.change().apply(item.dataset().fresh()));
    }
    MemoryChunk present = holds(item.dataset()).chunk(item.number());
    return new Made(item, Optional.of(present), item.change().apply(present));
  }

  /** Lets everybody see the new versions. */
  void publish(Room room) {
    List<Entry> entered = new ArrayList<>();
    try {
      for (Made made : all) {
        if (made.item().startsFromNothing()) {
          replace(made, room, entered);
        } else {
          Entry entry = holds(made.item().dataset()).find(made.item().number()).orElseThrow();
          while (!publish(made, entry, room)) {
            Thread.onSpinWait();
          }
        }
      }
    } finally {
      evictor.arrived(entered);
    }
  }

  /** Tries to publish over a version that is held. */
  private boolean publish(Made made, Entry entry, Room room) {
    if (!(entry.state() instanceof Held held)) {
      throw new IllegalStateException(
          "forgotten while it is written: chunk="
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

  /** Publishes a version that does not depend on the one before, whether that is there or not. */
  private void replace(Made made, Room room, List<Entry> entered) {
    DatasetChunks dataset = made.item().dataset();
    boolean done = false;
    while (!done) {
      Entry entry = dataset.chunks().get(made.item().number());
      ChunkState seen = entry.state();
      switch (seen) {
        case Held held -> done = overwritten(made, entry, held, room);
        case Located _ -> done = changed(made, entry, seen, made.to(), room);
        // Parts of this write may be published already: it has to end.
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

  /** Versions are told apart by what they are, not by what is in them. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(MemoryChunk one, MemoryChunk other) {
    return one == other;
  }

  @Override
  public void close() {
    holds.values().forEach(Pins::close);
  }
}
