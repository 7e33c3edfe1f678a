package io.skerry.cache.request;

import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.table.ChunkState.Clean;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Held;
import io.skerry.cache.table.ChunkState.Loading;
import io.skerry.cache.table.ChunkState.Located;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import java.util.ArrayList;
import java.util.List;

/**
 * The chunks of one dataset that a thread has claimed, so that no other thread loads or stores
 * them. A thread with claims does not wait for claims of other threads until its own claims have
 * ended, so claims cannot deadlock. Closing this object ends the claims that have no result; the
 * threads that waited for them then try to claim the chunks themselves.
 */
final class Claims implements AutoCloseable {
  private final DatasetChunks dataset;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Room room;
  private final List<Claim> claims = new ArrayList<>();

  Claims(DatasetChunks dataset, Ledger ledger, Evictor evictor, Room room) {
    this.dataset = dataset;
    this.ledger = ledger;
    this.evictor = evictor;
    this.room = room;
  }

  /** The part of a chunk that a request needs: its values, or only the list of defined elements. */
  enum Want {
    VALUES,
    LOCATIONS
  }

  /** Result of an attempt to claim a chunk. */
  sealed interface Outcome {}

  /** The chunk is claimed. */
  record Claim(Entry entry, Loading state, Origin origin) implements Outcome {}

  /** The chunk is in memory. */
  record Present(Entry entry, Held state) implements Outcome {}

  /** The chunk is not in memory, but its defined elements are known. */
  record Known(Entry entry, RunSet defined) implements Outcome {}

  /** Another thread has claimed the chunk. */
  record Awaited(Entry entry, Loading state) implements Outcome {}

  /** Origin of a claimed entry: new, or present with known defined elements. */
  enum Origin {
    NEW,
    LOCATED
  }

  /**
   * Claims a chunk, unless the required part is in memory or another thread has claimed the chunk.
   */
  Outcome claim(long number, Want want) {
    Loading mine = new Loading();
    Entry entry = new Entry(dataset, number, mine);
    while (true) {
      Entry present = ledger.enter(entry);
      if (present == entry) {
        room.took(Entry.OVERHEAD);
        return added(new Claim(entry, mine, Origin.NEW));
      }
      switch (present.state()) {
        case Held held -> {
          return new Present(present, held);
        }
        case Loading other -> {
          return new Awaited(present, other);
        }
        case Located(RunSet defined) when want == Want.LOCATIONS -> {
          return new Known(present, defined);
        }
        case Located located -> {
          if (ledger.change(present, located, mine)) {
            return added(new Claim(present, mine, Origin.LOCATED));
          }
        }
        // The thread that set this state is about to remove the entry from the table.
        case Gone _ -> Thread.onSpinWait();
      }
    }
  }

  private Claim added(Claim claim) {
    claims.add(claim);
    return claim;
  }

  /** Publishes a claimed chunk that was loaded. Any thread may call this method. */
  void loaded(Claim claim, MemoryChunk chunk) {
    // The chunk may have been removed from the cache in the meantime.
    if (ledger.change(claim.entry(), claim.state(), new Clean(chunk))) {
      dataset.saw(chunk);
      room.took(chunk.bytes());
    }
    claim.state().succeed(chunk);
  }

  /** Publishes the defined elements of a claimed chunk. Any thread may call this method. */
  void located(Claim claim, RunSet defined) {
    Located located = new Located(defined);
    dataset.sizes().saw(located);
    if (ledger.change(claim.entry(), claim.state(), located)) {
      room.took(located.bytes());
    }
    claim.state().end();
  }

  /** Ends the claims; loaded chunks may be evicted from now on. */
  @Override
  public void close() {
    evictor.arrived(end());
  }

  /** Ends the claims, like {@link #close}, but adds the loaded chunks as prefetched chunks. */
  void closeExpecting() {
    evictor.expected(end());
  }

  private List<Entry> end() {
    List<Entry> arrived = new ArrayList<>();
    for (Claim claim : claims) {
      boolean inVain = ledger.change(claim.entry(), claim.state(), Gone.INSTANCE);
      claim.state().end();
      if (inVain) {
        evictor.left(claim.entry());
      } else {
        arrived.add(claim.entry());
      }
    }
    claims.clear();
    return arrived;
  }
}
