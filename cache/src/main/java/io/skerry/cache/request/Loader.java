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
 * Loads chunks into the cache. If several threads miss a chunk at once, the first to claim it loads
 * it. The others wait and receive the loaded version, even if it has been evicted by then. A write
 * needs the chunk in the cache, so it looks up an evicted chunk again. If the load fails, each
 * waiting thread tries to load the chunk itself.
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

  /** Receives loaded chunks. An index is the position of the chunk in the list of chunk numbers. */
  interface Receiver {
    /** Called by the loading thread when it has claimed a chunk, before the chunk is loaded. */
    default void claimed(int index, Entry entry) {}

    /** Returns the cause of the load: a request or a prefetch. */
    default Cause cause() {
      return Cause.REQUEST;
    }

    /** Receives a chunk that was loaded. Any thread of the crew may call this method. */
    void loaded(int index, MemoryChunk chunk);

    /**
     * Receives a chunk that was in memory, or that another thread has loaded. Called by the loading
     * thread.
     *
     * @return false if the chunk must be looked up again
     */
    boolean found(int index, Entry entry, MemoryChunk chunk);
  }

  /**
   * Passes chunks to a receiver, after loading those that are not in memory.
   *
   * @param dataset the dataset
   * @param numbers the chunk numbers, all different
   * @param room memory reserved for the chunks
   * @param crew the threads that may process loaded chunks
   * @param receiver the receiver of every chunk
   * @throws RequestInterruptedException if the thread is interrupted while another thread loads a
   *     chunk
   */
  void load(
      DatasetChunks dataset,
      List<Long> numbers,
      Room room,
      WorkerPool.Crew crew,
      Receiver receiver) {
    List<Integer> wanted = IntStream.range(0, numbers.size()).boxed().toList();
    while (!wanted.isEmpty()) {
      Round round = new Round(dataset, receiver);
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
   * Loads chunks that are neither in memory nor being loaded. The caller needs no ticket, so the
   * extent may change during the call.
   *
   * @param stillWanted a condition that is checked after the chunks are claimed; if it is false,
   *     nothing is loaded
   */
  void loadAhead(
      DatasetChunks dataset,
      List<Long> numbers,
      Room room,
      WorkerPool.Crew crew,
      BooleanSupplier stillWanted) {
    Round round = new Round(dataset, new PrefetchReceiver());
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

  /** Receives prefetched chunks, which only need to be in memory. */
  private final class PrefetchReceiver implements Receiver {
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

  private record Pending(int index, Awaited awaited) {}

  /** A pass over chunks: chunks in memory, chunks that other threads load, and chunks to load. */
  private final class Round {
    private final DatasetChunks dataset;
    private final Receiver receiver;
    private final List<Integer> indexes = new ArrayList<>();
    private final List<Claim> mine = new ArrayList<>();
    private final List<Found> found = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();

    Round(DatasetChunks dataset, Receiver receiver) {
      this.dataset = dataset;
      this.receiver = receiver;
    }

    void claim(int index, long number, Claims claims) {
      switch (claims.claim(number, Want.VALUES)) {
        case Claim claim -> {
          receiver.claimed(index, claim.entry());
          indexes.add(index);
          mine.add(claim);
        }
        case Present present -> found.add(new Found(index, present));
        case Awaited awaited -> pending.add(new Pending(index, awaited));
        case Known known -> throw new IllegalStateException("not claimed: " + known);
      }
    }

    void fill(Claims claims, WorkerPool.Crew crew) {
      if (mine.isEmpty()) {
        return;
      }
      List<Entry> entries = mine.stream().map(Claim::entry).toList();
      List<ChunkKey> keys = entries.stream().map(entry -> dataset.key(entry.number())).toList();
      CacheEvents.Batch loads = events.loading(entries, receiver.cause());
      store.load(
          keys,
          crew,
          (i, chunk) -> {
            claims.loaded(mine.get(i), chunk);
            counters.loads.increment();
            counters.loadedBytes.add(chunk.bytes());
            loads.done(i, chunk.bytes());
            receiver.loaded(indexes.get(i), chunk);
          });
    }

    /**
     * Passes on the chunks that were in memory, waits for the chunks that other threads load, and
     * passes those on too. Called after the claims of this thread have ended.
     *
     * @return the indexes of the chunks that must be looked up again
     */
    List<Integer> takeOthers() {
      List<Integer> again = new ArrayList<>();
      for (Found one : found) {
        Present present = one.present();
        if (!receiver.found(one.index(), present.entry(), present.state().chunk())) {
          again.add(one.index());
        }
      }
      for (Pending one : pending) {
        Optional<MemoryChunk> chunk = await(one.awaited());
        if (chunk.isEmpty() || !receiver.found(one.index(), one.awaited().entry(), chunk.get())) {
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
