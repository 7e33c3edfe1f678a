package io.skerry.cache;

import io.skerry.chunk.ChunkFormat;
import io.skerry.chunk.MemoryChunk;

/**
 * How much memory the chunks of one dataset take, as far as can be told before they are there. If
 * every element has a value of fixed size they are all alike. Else it is known from those that were
 * seen lately. Any thread; of two that see chunks at once one may be forgotten.
 */
final class ChunkSizes {
  /** Of a chunk that nobody has seen: of a sparse one not much is defined, as a rule. */
  private static final int USUAL_SHARE = 8;

  /** How slowly what was seen is forgotten. */
  private static final int MEMORY = 8;

  /** Chunks that are fetched at a time before any has been seen. */
  private static final int FIRST_BATCH = 8;

  private final long full;
  private final boolean allAlike;

  /** Of the chunks seen lately; 0 if none was. */
  private volatile long usual;

  /** The largest of the chunks seen lately. */
  private volatile long most;

  ChunkSizes(ChunkFormat format) {
    long values = Saturating.product(format.elements(), format.datatype().size());
    full = Saturating.sum(Entry.OVERHEAD + format.newChunk().bytes(), values);
    allAlike =
        format.definedness() == ChunkFormat.Definedness.ALL && format.contentPacking().isEmpty();
  }

  /** One of them has this size. */
  // Estimates may be lost.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void saw(MemoryChunk chunk) {
    if (allAlike || chunk.definedCount() == 0) {
      return;
    }
    long bytes = Entry.OVERHEAD + chunk.bytes();
    long before = usual;
    usual = before == 0 ? bytes : before + (bytes - before) / MEMORY;
    most = Math.max(bytes, most - (most - Math.min(most, usual)) / MEMORY);
  }

  /** Of an ordinary chunk. */
  long usual() {
    long seen = usual;
    return allAlike ? full : seen > 0 ? seen : Entry.OVERHEAD + full / USUAL_SHARE;
  }

  /** Of a chunk that is not small. */
  long most() {
    return allAlike || usual == 0 ? full : Math.max(usual, most);
  }

  /** Of a chunk of which all elements are written. */
  long full() {
    return Math.max(full, most());
  }

  /** How many to fetch at a time if so many would fit: few while nothing is known of them. */
  int batch(long fitting) {
    int least = Math.clamp(fitting, 1, Integer.MAX_VALUE);
    return allAlike || usual > 0 ? least : Math.min(least, FIRST_BATCH);
  }
}
