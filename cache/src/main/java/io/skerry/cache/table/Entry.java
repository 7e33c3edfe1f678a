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
 * <p>One volatile reference to an immutable {@link ChunkState} leads to all data that readers need.
 * A thread that reads this reference sees everything that happened before its publication,
 * including the bytes of the chunk, and may use that state regardless of later changes to the
 * entry. Readers need no pins: a reference to a version keeps it alive.
 *
 * <p>If two threads change the state at the same time, one succeeds and the other tries again. An
 * entry in the state {@link ChunkState.Gone} never changes again; a chunk that is loaded again gets
 * a new entry. A race between a writing and an evicting thread therefore cannot lose a dirty
 * version: each thread can replace only the state that it has seen.
 *
 * <p>A writer pins the entry while it creates the next version, so that the chunk need not be
 * loaded again before that version is published. {@code holds} counts these writers. The count is
 * not part of the state, but an eviction cannot miss it: a writer increments the count and then
 * replaces the state with a new state object of the same version; an eviction reads the state, then
 * the count, and then changes the state that it has read. If the count was read before the
 * increment, the state was read before the writer replaced it, and the change fails.
 *
 * <p>{@code mark} and {@code partial} are hints for the eviction order, accessed in opaque mode,
 * which establishes no ordering with other variables.
 */
public final class Entry extends Evictable implements NumberTable.Numbered, ChunkLabel {
  /**
   * Estimated memory of an entry in bytes: the entry, its slots in the tables, and its state
   * object.
   */
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

  // This field and the next two are accessed only through variable handles.
  @SuppressWarnings("UnusedVariable")
  private int mark;

  @SuppressWarnings("UnusedVariable")
  private boolean partial;

  @SuppressWarnings("UnusedVariable")
  private int holds;

  /** Guarded by the eviction lock. */
  private QueueStatus queueStatus = QueueStatus.OUTSIDE;

  public Entry(DatasetChunks dataset, long number, ChunkState first) {
    this.dataset = dataset;
    this.number = number;
    this.state = first;
  }

  /** Status of an entry with respect to the eviction queue. */
  public enum QueueStatus {
    /** Not in the queue. */
    OUTSIDE,
    /** In the queue or nominated, and regarded as used only as a whole. */
    WHOLE,
    /** In the queue or nominated, and known to be used in part. */
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

  /**
   * Replaces the state if it is still the one that the caller has seen.
   *
   * @return false if another thread has changed the state in the meantime
   */
  boolean change(ChunkState seen, ChunkState next) {
    return STATE.compareAndSet(this, seen, next);
  }

  /** Returns the newest version, if it is in memory. */
  public Optional<MemoryChunk> chunk() {
    return state instanceof ChunkState.Held held ? Optional.of(held.chunk()) : Optional.empty();
  }

  @Override
  public long bytes() {
    return OVERHEAD + state.bytes();
  }

  /**
   * Returns whether no use of the entry has been recorded in the given epoch of {@link Recency}.
   */
  boolean isUnmarked(int epoch) {
    return (int) MARK.getOpaque(this) != epoch;
  }

  void mark(int epoch) {
    MARK.setOpaque(this, epoch);
  }

  /** Returns whether any access used only part of the chunk. */
  public boolean isPartial() {
    return (boolean) PARTIAL.getOpaque(this);
  }

  public void usedInPart() {
    if (!isPartial()) {
      PARTIAL.setOpaque(this, true);
    }
  }

  /**
   * Pins the chunk until {@link #release}. Effective only if the calling thread has claimed the
   * entry, or replaces the state afterwards.
   */
  public void hold() {
    HOLDS.getAndAdd(this, 1);
  }

  public void release() {
    HOLDS.getAndAdd(this, -1);
  }

  /**
   * Returns whether the chunk is pinned. An evicting thread calls this after it has read the state.
   */
  public boolean isPinned() {
    return (int) HOLDS.getVolatile(this) > 0;
  }

  public QueueStatus queueStatus() {
    return queueStatus;
  }

  void queueStatus(QueueStatus next) {
    queueStatus = next;
  }
}
