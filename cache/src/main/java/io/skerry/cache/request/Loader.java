package io.skerry.cache.request;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.jfr.CacheEvents.Cause;
import io.skerry.cache.jfr.CacheEvents.Reason;
import io.skerry.cache.request.Claims.Awaited;
import io.skerry.cache.request.Claims.Claim;
import io.skerry.cache.request.Claims.Known;
import io.skerry.cache.request.Claims.Present;
import io.skerry.cache.request.Claims.Want;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import io.skerry.chunk.format.MemoryChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Gets chunks into the cache. A chunk that several threads miss at once is loaded by the one that
 * claims it first, the others wait for it and get what it loaded, even if that has been evicted
 * before they look. If the load fails, each of those who waited tries for itself: the failure of a
 * chunk is told to every request that needs it, and to no other.
 */
public final class Loader {
  private final ChunkStore store;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Counters counters;
  private final CacheEvents events;

  public Loader(
      ChunkStore store, Ledger ledger, Evictor evictor, Counters counters, CacheEvents events) {
    this.store = store;
    this.ledger = ledger;
    this.evictor = evictor;
    this.counters = counters;
    this.events = events;
  }

  /** Who wants chunks. */
  interface Customer {
    /** A chunk is being loaded for him; for the calling thread. */
    default void claimed(int index, Entry entry) {}

    /** Whether he is a request. */
    default Cause cause() {
      return Cause.REQUEST;
    }

    /** It is there; for any thread of the crew. */
    void loaded(int index, MemoryChunk chunk);

    /**
     * It was there already, or others have loaded it; for the calling thread.
     *
     * @return whether that will do; if not, it is looked for again
     */
    boolean found(int index, Entry entry, MemoryChunk chunk);
  }

  /**
   * Loads what is not in memory.
   *
   * @param numbers of different chunks
   * @param room that was made for them
   * @param crew the threads that may take what arrives
   * @param customer is given every chunk
   * @throws RequestInterruptedException if the thread is interrupted while another loads
   */
  void load(
      DatasetChunks dataset,
      List<Long> numbers,
      Room room,
      WorkerPool.Crew crew,
      Customer customer) {
    List<Integer> wanted = IntStream.range(0, numbers.size()).boxed().toList();
    while (!wanted.isEmpty()) {
      Round round = new Round(dataset, customer);
      try (Claims claims = new Claims(dataset, ledger, evictor, room)) {
        for (int index : wanted) {
          round.claim(index, numbers.get(index), claims);
        }
        round.fill(claims, crew);
      }
      wanted = round.takeOthers();
    }
  }

  /**
   * Loads what nobody has and nobody is loading, without a ticket, for an extent that may change
   * meanwhile.
   *
   * @param stillWanted asked once the chunks are claimed; if not, nothing is loaded
   */
  void loadAhead(
      DatasetChunks dataset,
      List<Long> numbers,
      Room room,
      WorkerPool.Crew crew,
      BooleanSupplier stillWanted) {
    Round round = new Round(dataset, new Stock());
    try (Claims claims = new Claims(dataset, ledger, evictor, room)) {
      for (int index = 0; index < numbers.size(); index++) {
        round.claim(index, numbers.get(index), claims);
      }
      if (stillWanted.getAsBoolean()) {
        round.fill(claims, crew);
        claims.closeExpecting();
      }
    }
  }

  /** Wants nothing but that the chunks are there. */
  private final class Stock implements Customer {
    @Override
    public Cause cause() {
      return Cause.AHEAD;
    }

    @Override
    public void loaded(int index, MemoryChunk chunk) {
      counters.prefetched.increment();
    }

    @Override
    public boolean found(int index, Entry entry, MemoryChunk chunk) {
      return true;
    }
  }

  private record Found(int index, Present present) {}

  private record Coming(int index, Awaited awaited) {}

  /** One look at what is there, what is coming, and what has to be loaded. */
  private final class Round {
    private final DatasetChunks dataset;
    private final Customer customer;
    private final List<Integer> indexes = new ArrayList<>();
    private final List<Claim> mine = new ArrayList<>();
    private final List<Found> found = new ArrayList<>();
    private final List<Coming> coming = new ArrayList<>();

    Round(DatasetChunks dataset, Customer customer) {
      this.dataset = dataset;
      this.customer = customer;
    }

    void claim(int index, long number, Claims claims) {
      switch (claims.claim(number, Want.VALUES)) {
        case Claim claim -> {
          customer.claimed(index, claim.entry());
          indexes.add(index);
          mine.add(claim);
        }
        case Present present -> found.add(new Found(index, present));
        case Awaited awaited -> coming.add(new Coming(index, awaited));
        case Known known -> throw new IllegalStateException("not claimed: " + known);
      }
    }

    void fill(Claims claims, WorkerPool.Crew crew) {
      if (mine.isEmpty()) {
        return;
      }
      List<Entry> entries = mine.stream().map(Claim::entry).toList();
      List<ChunkKey> keys = entries.stream().map(entry -> dataset.key(entry.number())).toList();
      CacheEvents.Batch loads = events.loading(entries, customer.cause());
      store.load(
          keys,
          crew,
          (i, chunk) -> {
            claims.loaded(mine.get(i), chunk);
            counters.loads.increment();
            counters.loadedBytes.add(chunk.bytes());
            loads.done(i, chunk.bytes());
            customer.loaded(indexes.get(i), chunk);
          });
    }

    /** Takes what others have loaded, now that nobody waits for this thread. */
    List<Integer> takeOthers() {
      List<Integer> again = new ArrayList<>();
      for (Found one : found) {
        Present present = one.present();
        if (!customer.found(one.index(), present.entry(), present.state().chunk())) {
          again.add(one.index());
        }
      }
      for (Coming one : coming) {
        Optional<MemoryChunk> chunk = await(one.awaited());
        if (chunk.isEmpty() || !customer.found(one.index(), one.awaited().entry(), chunk.get())) {
          again.add(one.index());
        }
      }
      return again;
    }

    private Optional<MemoryChunk> await(Awaited awaited) {
      if (!awaited.state().isUnderWay()) {
        return awaited.state().loaded();
      }
      try (var _ = events.waiting(Reason.LOAD, dataset::name)) {
        return awaited.state().await();
      } catch (InterruptedException e) {
        throw new RequestInterruptedException(
            "interrupted while another request loaded a chunk: dataset=" + dataset, e);
      }
    }
  }
}
