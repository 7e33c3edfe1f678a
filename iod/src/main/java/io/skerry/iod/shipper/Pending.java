package io.skerry.iod.shipper;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

/**
 * An operation that has been started. It advances only while this rank is inside a method of its
 * shipper, such as {@link #await} or {@link ShipperClient#progress}. All methods are local and may
 * be called only by the thread of the rank.
 *
 * @param <T> the type of the result
 */
public final class Pending<T> {
  /** The states of an operation. */
  enum State {
    /** The operation waits until the window has room, or for the operations it depends on. */
    QUEUED,
    /** The operation was sent. */
    SENT,
    /** The operation has ended. */
    ENDED
  }

  /** Allocates the memory for results that are not values. */
  static final SegmentAllocator HEAP =
      (size, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(size)]);

  private final ShipperClient client;
  private final int rank;
  private final String what;
  private final Function<Outcome, T> reader;
  private final SegmentAllocator memory;
  private State state = State.QUEUED;
  private boolean wasSent;

  /** The number of transfers in progress that use the memory of the caller. */
  private int transfers;

  private long since = System.nanoTime();
  private Optional<T> result = Optional.empty();
  private Optional<RuntimeException> failure = Optional.empty();

  /**
   * Creates an operation that has not been sent.
   *
   * @param rank the I/O rank that executes it
   * @param what the description of the operation in error messages
   * @param reader extracts the result from the outcome
   * @param memory allocates the memory for a value that is read
   */
  Pending(
      ShipperClient client,
      int rank,
      String what,
      Function<Outcome, T> reader,
      SegmentAllocator memory) {
    this.client = client;
    this.rank = rank;
    this.what = what;
    this.reader = reader;
    this.memory = memory;
  }

  /** Returns whether the operation has ended: with a result, a failure, or by {@link #cancel}. */
  public boolean isDone() {
    return state == State.ENDED;
  }

  /**
   * Returns whether the memory of the value that the operation writes or reads may be changed or
   * released. A transfer in progress continues even if the operation fails.
   */
  public boolean isMemoryFree() {
    return transfers == 0 && (wasSent || isDone());
  }

  /**
   * Waits for the end of the operation and of its transfers, and returns its result.
   *
   * @throws ShipperException if an I/O rank has failed, or does not answer within the patience; a
   *     {@link ShipperException.HoldsMemory} if the memory must not be released
   * @throws CancellationException if the operation was cancelled
   * @throws RuntimeException if the operation was refused or has failed: the exception that the I/O
   *     rank has thrown
   */
  public T await() {
    client.await(this);
    failure.ifPresent(e -> {
      throw e;
    });
    return result.orElseThrow();
  }

  /**
   * Withdraws the operation if it has not been sent.
   *
   * @return whether the operation was withdrawn
   */
  public boolean cancel() {
    return client.withdraw(this);
  }

  /** Returns the failure; empty if the operation has not ended, or was successful. */
  public Optional<RuntimeException> failure() {
    return failure;
  }

  int rank() {
    return rank;
  }

  String what() {
    return what;
  }

  SegmentAllocator memory() {
    return memory;
  }

  State state() {
    return state;
  }

  /**
   * Returns the time at which the operation was started or sent, as a value of {@link
   * System#nanoTime}.
   */
  long since() {
    return since;
  }

  void sent() {
    wasSent = true;
    if (state == State.QUEUED) {
      state = State.SENT;
      since = System.nanoTime();
    }
  }

  /** Notes that a transfer from or into the memory of the caller begins. */
  void transferBegins() {
    transfers++;
  }

  /** Notes that a transfer has ended. */
  void transferEnds() {
    transfers--;
  }

  void complete(Outcome outcome) {
    try {
      succeed(reader.apply(outcome));
    } catch (RuntimeException e) {
      // The caller of the operation receives the exception.
      fail(e);
    }
  }

  void succeed(T value) {
    if (state != State.ENDED) {
      result = Optional.of(value);
      state = State.ENDED;
    }
  }

  void fail(RuntimeException e) {
    if (state != State.ENDED) {
      failure = Optional.of(e);
      state = State.ENDED;
    }
  }
}
