package io.skerry.cache.eviction;

import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.table.ChunkState.Dirty;
import io.skerry.cache.table.ChunkState.Encoded;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import io.skerry.chunk.ChunkImage;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Encodes chunks in the background that will soon have to be stored, as long as there is room for
 * the images, so that whoever needs the room of the chunks does not wait for the compressor. If the
 * cache is above its limit with the images, chunks are stored and go. The image is dropped when the
 * chunk is written again. A failure is not reported here: the chunk stays as it is, and who stores
 * it gets the failure.
 */
public final class AheadEncoder {
  /** Chunks that are encoded before it is looked again which are next. */
  private static final int AT_A_TIME = 8;

  private final Ledger ledger;
  private final Limits limits;
  private final Evictor evictor;
  private final Storer storer;
  private final WorkerPool workers;
  private final Counters counters;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** When it was looked last which are next; for who is busy. */
  private volatile long evictionsSeen;

  public AheadEncoder(
      Ledger ledger,
      Limits limits,
      Evictor evictor,
      Storer storer,
      WorkerPool workers,
      Counters counters) {
    this.ledger = ledger;
    this.limits = limits;
    this.evictor = evictor;
    this.storer = storer;
    this.workers = workers;
    this.counters = counters;
  }

  /** Looks whether there is something to do, after a write to this dataset. */
  public void written(DatasetChunks dataset) {
    boolean soon = ledger.unstored() > limits.quiescent() / 2 && gains(dataset);
    if (soon && busy.compareAndSet(false, true)) {
      workers.whenIdle(this::encodeNext);
    }
  }

  /** Returns whether chunks have gone since the last look. */
  private boolean isEvicting() {
    long evictions = counters.evictions.sum();
    boolean more = evictions != evictionsSeen;
    evictionsSeen = evictions;
    return more;
  }

  private boolean gains(Entry entry) {
    return !entry.isPinned() && gains(entry.dataset());
  }

  private boolean gains(DatasetChunks dataset) {
    return dataset.gainsByEncoding() && storer.storesAnyTime(dataset);
  }

  private void encodeNext() {
    try {
      // What is written piece by piece and fits is written again, and the image was for nothing.
      boolean alsoParts = isEvicting();
      boolean fits = true;
      for (Entry entry : evictor.nextDirty(AT_A_TIME)) {
        boolean complete = alsoParts || !entry.isPartial();
        if (fits && complete && entry.state() instanceof Dirty dirty && gains(entry)) {
          fits = evictor.spare() >= dirty.bytes() && encode(entry, dirty);
        }
      }
    } catch (RuntimeException e) {
      // Whoever stores the chunk is told.
      return;
    } finally {
      busy.set(false);
      evictor.trimAfterwards();
    }
  }

  /** Returns whether there was room for the image. */
  private boolean encode(Entry entry, Dirty dirty) {
    Optional<ChunkImage> image = storer.image(entry, dirty).image();
    Encoded next = new Encoded(dirty.chunk(), image);
    long more = next.bytes() - dirty.bytes();
    Optional<Room> room = evictor.findRoom(more);
    room.ifPresent(found -> {
      try (found) {
        if (ledger.change(entry, dirty, next)) {
          found.took(more);
          counters.encodedAhead.increment();
        }
      }
    });
    return room.isPresent();
  }
}
