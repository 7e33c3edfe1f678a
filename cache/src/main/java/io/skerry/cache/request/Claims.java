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
 * Chunks of one dataset that one thread has claimed, so that nobody else gets them from the file or
 * stores them meanwhile. Who has claims waits for nobody before they have ended, so there is no
 * circle of waiting. Those that came to nothing end when this is closed, and whoever waited for
 * them tries for himself.
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

  /** What is wanted of a chunk. */
  enum Want {
    VALUES,
    LOCATIONS
  }

  /** What came of a claim. */
  sealed interface Outcome {}

  /** The chunk is claimed. */
  record Claim(Entry entry, Loading state, Origin origin) implements Outcome {}

  /** The chunk is there. */
  record Present(Entry entry, Held state) implements Outcome {}

  /** Which elements are defined is known. */
  record Known(Entry entry, RunSet defined) implements Outcome {}

  /** Somebody else has claimed the chunk. */
  record Awaited(Entry entry, Loading state) implements Outcome {}

  /** Where a claimed entry was before. */
  enum Origin {
    NEW,
    LOCATED
  }

  /** Claims a chunk, unless what is wanted is there or another has claimed it. */
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
        // Whoever evicted it is about to take it out of the table.
        case Gone _ -> Thread.onSpinWait();
      }
    }
  }

  private Claim added(Claim claim) {
    claims.add(claim);
    return claim;
  }

  /** A claimed chunk has come. Any thread. */
  void loaded(Claim claim, MemoryChunk chunk) {
    // It may have been forgotten meanwhile.
    if (ledger.change(claim.entry(), claim.state(), new Clean(chunk))) {
      dataset.saw(chunk);
      room.took(chunk.bytes());
    }
    claim.state().succeed(chunk);
  }

  /** What is defined in a claimed chunk has been read. Any thread. */
  void located(Claim claim, RunSet defined) {
    Located located = new Located(defined);
    dataset.sizes().saw(located);
    if (ledger.change(claim.entry(), claim.state(), located)) {
      room.took(located.bytes());
    }
    claim.state().end();
  }

  /** Ends the claims: what has come may be evicted from now on. */
  @Override
  public void close() {
    evictor.arrived(end());
  }

  /** The same, for chunks that nobody has asked for yet. */
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
