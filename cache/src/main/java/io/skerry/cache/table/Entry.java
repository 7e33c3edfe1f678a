package io.skerry.cache.table;

import io.skerry.cache.jfr.ChunkLabel;
import io.skerry.cache.policy.Evictable;
import io.skerry.chunk.format.MemoryChunk;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * One chunk of one dataset in the cache.
 *
 * <p>All that readers need is in one volatile reference to an immutable {@link ChunkState}: who
 * reads it sees everything that happened before it was published, the bytes of the chunk included,
 * and keeps what it saw, whatever becomes of the entry. There is no pin to take and to give back:
 * the reference to a version is one, and the garbage collector counts it.
 *
 * <p>Of two threads that change the state one wins and the other looks again; an entry that is
 * {@link ChunkState.Gone} never comes back, a chunk that does gets a new entry. So a dirty version
 * cannot be lost between a thread that writes and one that evicts: both start from the state they
 * saw.
 *
 * <p>Who writes holds the entry while it makes the next version, so that it need not be loaded
 * again to publish it. {@code holds} counts writers, and is not part of the state, but an eviction
 * cannot miss it: a writer counts itself first and then replaces the state by an equal one; an
 * eviction reads the state first, then the count, and then changes the state it has read. If the
 * count was read before the writer's, the state was read before the writer replaced it, and the
 * change fails.
 *
 * <p>{@code mark} and {@code partial} are hints. They are read and written without order: a lost
 * update makes an entry look a little less, or more, recently used.
 */
public final class Entry extends Evictable implements NumberTable.Numbered, ChunkLabel {
  /** Of the objects that make up an entry, its place in the tables and its state. */
  public static final long OVERHEAD = 160;

  private static final VarHandle STATE;
  private static final VarHandle MARK;
  private static final VarHandle PARTIAL;
  private static final VarHandle HOLDS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Entry.class, "state", ChunkState.class);
      MARK = lookup.findVarHandle(Entry.class, "mark", int.class);
      PARTIAL = lookup.findVarHandle(Entry.class, "partial", boolean.class);
      HOLDS = lookup.findVarHandle(Entry.class, "holds", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final DatasetChunks dataset;
  private final long number;
  private volatile ChunkState state;

  // Read by way of the handles.
  @SuppressWarnings("UnusedVariable")
  private int mark;

  @SuppressWarnings("UnusedVariable")
  private boolean partial;

  @SuppressWarnings("UnusedVariable")
  private int holds;

  /** Guarded by the lock of evictions. */
  private Standing standing = Standing.OUTSIDE;

  public Entry(DatasetChunks dataset, long number, ChunkState first) {
    this.dataset = dataset;
    this.number = number;
    this.state = first;
  }

  /** What the order of evictions has it for. */
  public enum Standing {
    /** Not in the order. */
    OUTSIDE,
    /** In the order, and taken for a chunk that is only used as a whole. */
    WHOLE,
    /** In the order, and known to be used in part. */
    PART
  }

  @Override
  public String datasetName() {
    return dataset.name();
  }

  @Override
  public String chunkName() {
    return dataset.key(number()).chunk().toString();
  }

  public DatasetChunks dataset() {
    return dataset;
  }

  @Override
  public long number() {
    return number;
  }

  public ChunkState state() {
    return state;
  }

  /** Goes from a state that was seen to another, unless somebody else was faster. */
  boolean change(ChunkState seen, ChunkState next) {
    return STATE.compareAndSet(this, seen, next);
  }

  /** The newest version, if it is in memory. */
  public Optional<MemoryChunk> chunk() {
    return state instanceof ChunkState.Held held ? Optional.of(held.chunk()) : Optional.empty();
  }

  @Override
  public long bytes() {
    return OVERHEAD + state.bytes();
  }

  /** Returns whether a use was not noted yet in the present epoch of recency. */
  boolean isUnmarked(int epoch) {
    return (int) MARK.getOpaque(this) != epoch;
  }

  void mark(int epoch) {
    MARK.setOpaque(this, epoch);
  }

  /** Returns whether some access took only part of the chunk. */
  public boolean isPartial() {
    return (boolean) PARTIAL.getOpaque(this);
  }

  public void usedInPart() {
    if (!isPartial()) {
      PARTIAL.setOpaque(this, true);
    }
  }

  /**
   * Counts somebody who keeps the chunk from being evicted until he releases it. It counts only if
   * he has claimed the entry, or replaces the state afterwards.
   */
  public void hold() {
    HOLDS.getAndAdd(this, 1);
  }

  public void release() {
    HOLDS.getAndAdd(this, -1);
  }

  /** Returns whether somebody holds it. Who evicts asks after it has read the state. */
  public boolean isPinned() {
    return (int) HOLDS.getVolatile(this) > 0;
  }

  public Standing standing() {
    return standing;
  }

  void stand(Standing next) {
    standing = next;
  }
}
