package io.skerry.iod.engine.shard;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;

/**
 * A base class for the changes of a transaction in a shard that tracks their state. An engine
 * implements the storage of changes. Local, thread-safe.
 */
public abstract class AbstractChanges implements Changes {
  private final AbstractShard<?> shard;
  private final String container;
  private final long transaction;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    FAILED,
    ENDED
  }

  /**
   * Creates open changes.
   *
   * @param container the location of the container, for messages
   */
  protected AbstractChanges(AbstractShard<?> shard, String container, long transaction) {
    this.shard = shard;
    this.container = container;
    this.transaction = transaction;
  }

  /** A step, which may throw exceptions of the engine. */
  @FunctionalInterface
  protected interface Step<E extends Exception> {
    /** Executes the step. */
    void run() throws E;
  }

  @Override
  public final long transaction() {
    return transaction;
  }

  /**
   * Runs a step. If it fails, it may have stored some changes, and later steps are rejected. The
   * caller holds the monitor of this object.
   *
   * @throws IllegalStateException if the changes have ended or failed
   */
  protected final <E extends Exception> void run(Step<E> step) throws E {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "the changes have ended: transaction="
              + transaction
              + " state="
              + state
              + " container="
              + container);
    }
    state = State.FAILED;
    step.run();
    state = State.OPEN;
  }

  @Override
  public final synchronized void put(Place place, MemorySegment value) {
    if (value.byteSize() > LARGEST_VALUE) {
      throw new IllegalArgumentException(
          "a value is too large: expected=at most "
              + LARGEST_VALUE
              + " actual="
              + value.byteSize());
    }
    store(place, value);
  }

  /** Stores a value whose size has been checked. The caller holds the monitor of this object. */
  protected abstract void store(Place place, MemorySegment value);

  /** Ends the changes without removing what was stored. Has no effect after the first call. */
  protected final synchronized void end() {
    if (state != State.ENDED) {
      state = State.ENDED;
      shard.ended(this);
      release();
    }
  }

  /** Releases memory. Called once. */
  protected abstract void release();

  private synchronized boolean isEnded() {
    return state == State.ENDED;
  }

  @Override
  public final void close() {
    if (!isEnded()) {
      shard.abort(transaction);
    }
  }
}
