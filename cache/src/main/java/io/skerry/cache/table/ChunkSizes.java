package io.skerry.cache.table;

import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;

/**
 * Estimates the memory that the chunks of a dataset will need, before they are loaded. If every
 * element has a value of fixed size, all chunks have the same size. Otherwise, the estimate is
 * based on the sizes of recent chunks. Thread-safe.
 */
public final class ChunkSizes {
  /**
   * Until the size of a chunk has been recorded, the estimated average size of a chunk is the
   * overhead of an entry plus the size of a full chunk divided by this number.
   */
  private static final int USUAL_SHARE = 8;

  /** A new size enters the moving average with a weight of 1 divided by this number. */
  private static final int MEMORY = 8;

  /** Maximum number of chunks that are loaded together before the size of any chunk is known. */
  private static final int FIRST_BATCH = 8;

  /**
   * Estimated size, in bytes, of a chunk of which only the defined elements are known, used until
   * such a size has been recorded.
   */
  private static final long USUAL_LOCATED = Entry.OVERHEAD + 96;

  private final long full;
  private final long fullLocated;
  private final boolean allAlike;
  private final Seen values = new Seen();
  private final Seen located = new Seen();

  /** Recent sizes. If two threads record sizes concurrently, one of the sizes may be lost. */
  private static final class Seen {
    /** Average size; 0 if none was recorded. */
    private volatile long usual;

    /** Maximum of the recent sizes; decays toward the average. */
    private volatile long most;

    // Lost updates only affect an estimate.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void add(long bytes) {
      long before = usual;
      usual = before == 0 ? bytes : before + (bytes - before) / MEMORY;
      most = Math.max(bytes, most - (most - Math.min(most, usual)) / MEMORY);
    }

    boolean isEmpty() {
      return usual == 0;
    }

    long most() {
      return Math.max(usual, most);
    }
  }

  ChunkSizes(ChunkFormat format) {
    long values = Saturating.product(format.elements(), format.datatype().size());
    full = Saturating.sum(Entry.OVERHEAD + format.newChunk().bytes(), values);
    // In the worst case, every second element is defined.
    fullLocated =
        Saturating.sum(Entry.OVERHEAD, ChunkState.Located.bytes((format.elements() + 1) / 2));
    allAlike =
        format.definedness() == ChunkFormat.Definedness.ALL && format.contentPacking().isEmpty();
  }

  /**
   * Records the size of a chunk; ignores chunks without defined elements, and all chunks if they
   * have the same size.
   */
  public void saw(MemoryChunk chunk) {
    if (allAlike || chunk.definedCount() == 0) {
      return;
    }
    values.add(Entry.OVERHEAD + chunk.bytes());
  }

  /** Records the size of a chunk of which only the defined elements are known. */
  public void saw(ChunkState.Located state) {
    located.add(Entry.OVERHEAD + state.bytes());
  }

  /**
   * Returns the estimated average size, in bytes, of a chunk of which only the defined elements are
   * known.
   */
  public long usualLocated() {
    return located.isEmpty() ? USUAL_LOCATED : located.usual;
  }

  /**
   * Returns the estimated size, in bytes, of a large chunk of which only the defined elements are
   * known.
   */
  public long mostLocated() {
    return located.isEmpty() ? fullLocated : located.most();
  }

  /**
   * Returns the number of chunks whose defined elements should be read together: at least 1, and at
   * most 8 until a size has been recorded.
   *
   * @param fitting number of chunks that fit in memory
   */
  public int batchLocated(long fitting) {
    return first(located, fitting);
  }

  /** Returns the estimated average size of a chunk, in bytes. */
  public long usual() {
    if (allAlike) {
      return full;
    }
    return values.isEmpty() ? Entry.OVERHEAD + full / USUAL_SHARE : values.usual;
  }

  /** Returns the estimated size of a large chunk, in bytes. */
  public long most() {
    return allAlike || values.isEmpty() ? full : values.most();
  }

  /** Returns the estimated size, in bytes, of a chunk whose elements are all written. */
  public long full() {
    return Math.max(full, most());
  }

  /**
   * Returns the number of chunks to load together: at least 1, and at most 8 while the sizes of the
   * chunks may differ and no size has been recorded.
   *
   * @param fitting number of chunks that fit in memory
   */
  public int batch(long fitting) {
    return allAlike ? atLeastOne(fitting) : first(values, fitting);
  }

  private static int first(Seen seen, long fitting) {
    int most = atLeastOne(fitting);
    return seen.isEmpty() ? Math.min(most, FIRST_BATCH) : most;
  }

  private static int atLeastOne(long fitting) {
    return Math.clamp(fitting, 1, Integer.MAX_VALUE);
  }
}
