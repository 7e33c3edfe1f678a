package io.skerry.cache.table;

import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;

/**
 * How much memory the chunks of one dataset take, as far as can be told before they are there. If
 * every element has a value of fixed size they are all alike. Else it is known from those that were
 * seen lately. Any thread.
 */
public final class ChunkSizes {
  /** Of a chunk that nobody has seen: of a sparse one not much is defined, as a rule. */
  private static final int USUAL_SHARE = 8;

  /** How slowly what was seen is forgotten. */
  private static final int MEMORY = 8;

  /** Chunks that are fetched at a time before any has been seen. */
  private static final int FIRST_BATCH = 8;

  /** What is known of a chunk of which only locations were read, if that is not much. */
  private static final long USUAL_LOCATED = Entry.OVERHEAD + 96;

  private final long full;
  private final long fullLocated;
  private final boolean allAlike;
  private final Seen values = new Seen();
  private final Seen located = new Seen();

  /** Sizes seen lately. Of two that are seen at once one may be forgotten. */
  private static final class Seen {
    /** Of an ordinary one; 0 if none was seen. */
    private volatile long usual;

    /** Of the largest. */
    private volatile long most;

    // Estimates may be lost.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void add(long bytes) {
      long before = usual;
      usual = before == 0 ? bytes : before + (bytes - before) / MEMORY;
      most = Math.max(bytes, most - (most - Math.min(most, usual)) / MEMORY);
    }

    boolean isEmpty() {
      return usual == 0;
    }

    public long most() {
      return Math.max(usual, most);
    }
  }

  ChunkSizes(ChunkFormat format) {
    long values = Saturating.product(format.elements(), format.datatype().size());
    full = Saturating.sum(Entry.OVERHEAD + format.newChunk().bytes(), values);
    // At worst every second element is defined.
    fullLocated =
        Saturating.sum(Entry.OVERHEAD, ChunkState.Located.bytes((format.elements() + 1) / 2));
    allAlike =
        format.definedness() == ChunkFormat.Definedness.ALL && format.contentPacking().isEmpty();
  }

  /** One of them has this size. */
  public void saw(MemoryChunk chunk) {
    if (allAlike || chunk.definedCount() == 0) {
      return;
    }
    values.add(Entry.OVERHEAD + chunk.bytes());
  }

  /** What was read of the locations in one of them has this size. */
  public void saw(ChunkState.Located state) {
    located.add(Entry.OVERHEAD + state.bytes());
  }

  /** Of an ordinary chunk of which only the locations are known. */
  public long usualLocated() {
    return located.isEmpty() ? USUAL_LOCATED : located.usual;
  }

  /** Of one in which many runs of elements are defined. */
  public long mostLocated() {
    return located.isEmpty() ? fullLocated : located.most();
  }

  /** As {@link #batch}, of chunks of which only the locations are read. */
  public int batchLocated(long fitting) {
    return first(located, fitting);
  }

  /** Of an ordinary chunk. */
  public long usual() {
    if (allAlike) {
      return full;
    }
    return values.isEmpty() ? Entry.OVERHEAD + full / USUAL_SHARE : values.usual;
  }

  /** Of a chunk that is not small. */
  public long most() {
    return allAlike || values.isEmpty() ? full : values.most();
  }

  /** Of a chunk of which all elements are written. */
  public long full() {
    return Math.max(full, most());
  }

  /** How many to fetch at a time if so many would fit: few while nothing is known of them. */
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
