package io.skerry.cache;

import io.skerry.cache.ChunkState.Dirty;
import io.skerry.cache.ChunkState.Encoded;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Encodes chunks in the background that will soon have to be stored, so that whoever needs their
 * room does not wait for the compressor. The image is dropped when the chunk is written again. A
 * failure is not reported here: the chunk stays as it is, and who stores it gets the failure.
 */
final class AheadEncoder {
  /** Chunks that are encoded before it is looked again which are next. */
  private static final int AT_A_TIME = 8;

  private final Ledger ledger;
  private final Limits limits;
  private final Evictor evictor;
  private final Storer storer;
  private final WorkerPool workers;
  private final Counters counters;
  private final AtomicBoolean busy = new AtomicBoolean();

  AheadEncoder(
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

  /** Looks whether there is something to do, after a write. */
  void written() {
    if (ledger.unstored() > limits.quiescent() / 2 && busy.compareAndSet(false, true)) {
      workers.whenIdle(this::encodeNext);
    }
  }

  private void encodeNext() {
    try {
      for (Entry entry : evictor.nextUnstored(AT_A_TIME)) {
        if (entry.state() instanceof Dirty dirty && gains(entry.dataset())) {
          ChunkStore.Image image = storer.image(entry, dirty);
          if (ledger.change(entry, dirty, new Encoded(dirty.chunk(), image.image()))) {
            counters.encodedAhead.increment();
          }
        }
      }
    } catch (RuntimeException e) {
      // Whoever stores the chunk is told.
      return;
    } finally {
      busy.set(false);
    }
  }

  private boolean gains(DatasetChunks dataset) {
    return dataset.gainsByEncoding() && storer.storesAnyTime(dataset);
  }
}
