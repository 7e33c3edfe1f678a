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
 * Encodes chunks in the background before they must be stored, as long as there is memory for the
 * images. A thread that needs the memory of these chunks then need not wait for the compressor. If
 * the images make the cache exceed its limit, chunks are stored and evicted. An image is dropped
 * when its chunk is written again. Failures are not reported: the chunk remains unchanged, and the
 * failure occurs again when a thread stores the chunk.
 */
public final class AheadEncoder {
  /** Maximum number of chunks that one background task encodes. */
  private static final int AT_A_TIME = 8;

  private final Ledger ledger;
  private final Limits limits;
  private final Evictor evictor;
  private final Storer storer;
  private final WorkerPool workers;
  private final Counters counters;
  private final AtomicBoolean busy = new AtomicBoolean();

  /**
   * Number of evictions at the last check; accessed only by the background task for which {@link
   * #busy} was set.
   */
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

  /**
   * Starts encoding in the background after a write to a dataset, if the unstored chunks in the
   * cache exceed half of the quiescent limit, the encoded size of the dataset's chunks is not known
   * in advance, and its chunks may be stored at any time. Has no effect while chunks are already
   * being encoded in the background.
   */
  public void written(DatasetChunks dataset) {
    boolean soon = ledger.unstored() > limits.quiescent() / 2 && gains(dataset);
    if (soon && busy.compareAndSet(false, true) && !workers.whenIdle(this::encodeNext)) {
      busy.set(false);
    }
  }

  /** Returns whether chunks have been evicted since the last check. */
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
      // While no chunks are evicted, chunks that were used in part are skipped: such a chunk is
      // likely to be written again, which would make its image useless.
      boolean alsoParts = isEvicting();
      boolean fits = true;
      for (Entry entry : evictor.nextDirty(AT_A_TIME)) {
        boolean complete = alsoParts || !entry.isPartial();
        if (fits && complete && entry.state() instanceof Dirty dirty && gains(entry)) {
          fits = evictor.spare() >= dirty.bytes() && encode(entry, dirty);
        }
      }
    } catch (RuntimeException e) {
      // The failure occurs again when a thread stores the chunk.
      return;
    } finally {
      busy.set(false);
      evictor.trimAfterwards();
    }
  }

  /**
   * Encodes a version, and keeps the image if there is memory for it.
   *
   * @return false if there was no memory for the image
   */
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
