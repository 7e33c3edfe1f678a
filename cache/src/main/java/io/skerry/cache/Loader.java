package io.skerry.cache;

import io.skerry.cache.ChunkState.Clean;
import io.skerry.cache.ChunkState.Gone;
import io.skerry.cache.ChunkState.Held;
import io.skerry.cache.ChunkState.Loading;
import io.skerry.cache.ChunkState.Located;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Gets chunks into the cache. A chunk that several threads miss at once is loaded by the one that
 * claims it first, the others wait for it.
 *
 * <p>Who has claimed chunks waits for nobody before they are loaded, so there is no circle of
 * waiting. If the load fails the claims are given up, and each of those who waited tries for
 * itself: the failure of a chunk is told to every request that needs it, and to no other.
 */
final class Loader {
  private final ChunkStore store;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Counters counters;

  Loader(ChunkStore store, Ledger ledger, Evictor evictor, Counters counters) {
    this.store = store;
    this.ledger = ledger;
    this.evictor = evictor;
    this.counters = counters;
  }

  /**
   * A chunk that is claimed.
   *
   * @param index its place in what was asked for
   */
  private record Claim(int index, Entry entry, Loading state, Origin origin) {}

  /** Where a claimed entry was before. */
  private enum Origin {
    NEW,
    LOCATED
  }

  /** A chunk that somebody else is loading. */
  private record Awaited(int index, Loading state) {}

  /**
   * Loads what is not in memory. There must be room for it.
   *
   * @param numbers of different chunks
   * @param crew the threads that may take what arrives
   * @param arrival is given every chunk, by any thread of the crew
   * @throws RequestInterruptedException if the thread is interrupted while another loads
   */
  void load(
      DatasetChunks dataset, List<Long> numbers, WorkerPool.Crew crew, ChunkStore.Arrival arrival) {
    load(dataset, numbers, crew, arrival, () -> true);
  }

  /**
   * The same without a ticket, for an extent that may change meanwhile.
   *
   * @param wanted asked once the chunks are claimed; if not, nothing is loaded
   */
  void loadAhead(
      DatasetChunks dataset, List<Long> numbers, WorkerPool.Crew crew, BooleanSupplier wanted) {
    load(dataset, numbers, crew, (_, _) -> {}, wanted);
  }

  private void load(
      DatasetChunks dataset,
      List<Long> numbers,
      WorkerPool.Crew crew,
      ChunkStore.Arrival arrival,
      BooleanSupplier asked) {
    List<Integer> wanted = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      wanted.add(i);
    }
    while (!wanted.isEmpty()) {
      List<Claim> claims = new ArrayList<>();
      List<Awaited> awaited = new ArrayList<>();
      for (int index : wanted) {
        claim(dataset, numbers.get(index), index, claims, awaited, arrival);
      }
      fill(dataset, claims, crew, arrival, asked);
      wanted = new ArrayList<>();
      for (Awaited other : awaited) {
        await(dataset, other.state());
        wanted.add(other.index());
      }
    }
  }

  private void claim(
      DatasetChunks dataset,
      long number,
      int index,
      List<Claim> claims,
      List<Awaited> awaited,
      ChunkStore.Arrival arrival) {
    Loading mine = new Loading();
    Entry entry = new Entry(dataset, number, mine);
    while (true) {
      Entry present = ledger.enter(entry);
      if (present == entry) {
        claims.add(new Claim(index, entry, mine, Origin.NEW));
        return;
      }
      switch (present.state()) {
        case Held held -> {
          arrival.loaded(index, held.chunk());
          return;
        }
        case Loading other -> {
          awaited.add(new Awaited(index, other));
          return;
        }
        case Located located -> {
          if (ledger.change(present, located, mine)) {
            claims.add(new Claim(index, present, mine, Origin.LOCATED));
            return;
          }
        }
        // Whoever evicted it is about to take it out of the table.
        case Gone _ -> Thread.onSpinWait();
      }
    }
  }

  private void fill(
      DatasetChunks dataset,
      List<Claim> claims,
      WorkerPool.Crew crew,
      ChunkStore.Arrival arrival,
      BooleanSupplier asked) {
    if (claims.isEmpty()) {
      return;
    }
    try {
      if (!asked.getAsBoolean()) {
        return;
      }
      List<ChunkKey> keys =
          claims.stream().map(claim -> dataset.key(claim.entry().number())).toList();
      store.load(
          keys,
          crew,
          (i, chunk) -> {
            Claim claim = claims.get(i);
            ledger.change(claim.entry(), claim.state(), new Clean(chunk));
            claim.state().ended().countDown();
            counters.loads.increment();
            counters.loadedBytes.add(chunk.bytes());
            arrival.loaded(claim.index(), chunk);
          });
    } finally {
      List<Entry> arrived = new ArrayList<>();
      for (Claim claim : claims) {
        boolean failed = ledger.change(claim.entry(), claim.state(), Gone.INSTANCE);
        claim.state().ended().countDown();
        if (failed) {
          evictor.left(claim.entry());
        } else if (claim.origin() == Origin.NEW) {
          arrived.add(claim.entry());
        }
      }
      evictor.arrived(arrived);
    }
  }

  private static void await(DatasetChunks dataset, Loading state) {
    try {
      state.ended().await();
    } catch (InterruptedException e) {
      throw new RequestInterruptedException(
          "interrupted while another request loaded a chunk: dataset=" + dataset, e);
    }
  }
}
