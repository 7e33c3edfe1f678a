package io.skerry.mpi.internal.local;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Schedule;
import io.skerry.mpi.internal.base.WaitLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Decides which ranks of a world may proceed, and serves as the lock of their shared state.
 *
 * <p>Ranks wait only in this class, which records the condition that each rank waits for. A
 * deadlock is detected when no rank is running and no rank's condition holds. In a serialized
 * schedule, one rank holds a token. It releases the token when it waits and at every point, and the
 * next holder is drawn from the ranks whose condition holds.
 *
 * <p>If a rank fails, the world is poisoned: a rank that waits for an event that has not occurred
 * yet, or makes a new call, throws an exception. After a failure that all ranks agreed on, new
 * calls that need no other rank are still permitted, so that a slower rank reports its own instance
 * of the failure instead of that of a faster rank.
 */
final class RankScheduler {
  private static final int NO_RANK = -1;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final BooleanSupplier ALWAYS = () -> true;

  private enum State {
    WAITING,
    RUNNING,
    FINISHED
  }

  /** A wait. Its text is computed only when needed, since most waits end at once. */
  private record Wait(Supplier<String> text, BooleanSupplier ready) {}

  private record Poison(MpiErrorClass errorClass, String text, boolean strict) {}

  private final SeededChoices decisions;
  private final IntConsumer ending;
  private final State[] states;
  private final Wait[] waits;
  private final long[] calls;
  private Optional<Poison> poison = Optional.empty();
  private int token = NO_RANK;
  private long step;

  /**
   * Creates the scheduler of a world.
   *
   * @param ending the action that ends the job to which the world belongs, with an exit code; does
   *     nothing if the job consists only of the ranks of the world
   */
  RankScheduler(int ranks, SeededChoices decisions, IntConsumer ending) {
    this.decisions = decisions;
    this.ending = ending;
    this.states = new State[ranks];
    this.waits = new Wait[ranks];
    this.calls = new long[ranks];
    Arrays.fill(states, State.WAITING);
    Arrays.fill(waits, new Wait(() -> "waits for its turn", ALWAYS));
  }

  SeededChoices decisions() {
    return decisions;
  }

  /** Draws the rank that runs first in a serialized schedule, and lets its thread proceed. */
  synchronized void begin() {
    passToken();
  }

  /**
   * Registers the thread of a rank. In a serialized schedule, waits for the first turn of the rank.
   */
  synchronized void start(int rank) {
    waitFor(() -> !decisions.serialized() || token == rank, WaitLimit.UNLIMITED);
    states[rank] = State.RUNNING;
  }

  /** Records that the thread of a rank has finished. */
  synchronized void finish(int rank) {
    states[rank] = State.FINISHED;
    passToken();
    findDeadlock();
    notifyAll();
  }

  /** Ends the job with an exit code, and poisons the world if this process has not ended. */
  void abort(int code, String text) {
    ending.accept(code);
    poison(MpiErrorClass.ABORTED, text, true);
  }

  /**
   * Poisons the world: every wait whose condition does not hold fails and, if {@code strict} is
   * true, so does every new call. Does nothing if the world is already poisoned.
   */
  synchronized void poison(MpiErrorClass errorClass, String text, boolean strict) {
    if (poison.isEmpty()) {
      poison = Optional.of(new Poison(errorClass, text, strict));
    }
    notifyAll();
  }

  /**
   * Passes a point in the schedule, at which the schedule may delay this rank, inject a failure, or
   * let another rank run. Returns the index of the point.
   */
  long point(LocalCommunicator caller, String operation) {
    int rank = caller.worldRank();
    long call = calls[rank]++;
    if (decisions.fails(rank, call)) {
      throw new Schedule.InjectedFailure(rank, call, operation);
    }
    if (decisions.jittered()) {
      LockSupport.parkNanos(decisions.delayNanos(rank, call));
    }
    synchronized (this) {
      if (decisions.serialized()) {
        await(caller, operation, "its turn", ALWAYS);
      }
      if (poison.isPresent() && poison.get().strict()) {
        throw caller.failure(operation, poison.get().errorClass(), poison.get().text());
      }
    }
    return call;
  }

  /**
   * Waits until the condition holds. The condition is evaluated under this lock, which the caller
   * holds.
   */
  void await(LocalCommunicator caller, String operation, String what, BooleanSupplier ready) {
    await(
        caller,
        operation,
        () -> "waits in %s of %s for %s".formatted(operation, caller.name(), what),
        WaitLimit.UNLIMITED,
        ready);
  }

  /**
   * Waits until the condition holds. The condition is evaluated under this lock, which the caller
   * holds. When the time limit expires, all waits whose condition does not hold fail with an
   * exception that describes the state of every rank.
   */
  void await(
      LocalCommunicator caller,
      String operation,
      Supplier<String> text,
      WaitLimit patience,
      BooleanSupplier ready) {
    int rank = caller.worldRank();
    waits[rank] = new Wait(text, ready);
    states[rank] = State.WAITING;
    passToken();
    findDeadlock();
    waitFor(() -> mayRun(rank), patience);
    states[rank] = State.RUNNING;
    if (!ready.getAsBoolean()) {
      var reason = poison.orElseThrow();
      throw caller.failure(operation, reason.errorClass(), reason.text());
    }
  }

  /**
   * Throws an exception if the world is poisoned, so that a rank does not poll forever. The caller
   * holds the lock.
   */
  void refuseIfPoisoned(LocalCommunicator caller, String operation) {
    if (poison.isPresent()) {
      throw caller.failure(operation, poison.get().errorClass(), poison.get().text());
    }
  }

  /** Returns whether the thread of a rank has finished. The caller holds the lock. */
  boolean isFinished(int rank) {
    return states[rank] == State.FINISHED;
  }

  /** Returns whether the world is poisoned. */
  synchronized boolean poisoned() {
    return poison.isPresent();
  }

  private boolean mayRun(int rank) {
    return decisions.serialized() ? token == rank : runnable(rank);
  }

  private boolean runnable(int rank) {
    return states[rank] == State.WAITING
        && (poison.isPresent() || waits[rank].ready().getAsBoolean());
  }

  private void passToken() {
    notifyAll();
    if (!decisions.serialized()) {
      return;
    }
    var candidates = new ArrayList<Integer>();
    for (int rank = 0; rank < states.length; rank++) {
      if (runnable(rank)) {
        candidates.add(rank);
      }
    }
    token =
        candidates.isEmpty()
            ? NO_RANK
            : candidates.get(decisions.nextRank(step++, candidates.size()));
  }

  private void findDeadlock() {
    boolean anyWaits = false;
    for (int rank = 0; rank < states.length; rank++) {
      if (states[rank] == State.RUNNING || runnable(rank)) {
        return;
      }
      anyWaits |= states[rank] == State.WAITING;
    }
    if (anyWaits) {
      poison(MpiErrorClass.DEADLOCK, "no rank can proceed: " + situation(), true);
      passToken();
    }
  }

  private String situation() {
    var text = new StringBuilder();
    for (int rank = 0; rank < states.length; rank++) {
      text.append(rank == 0 ? "" : ", ").append("rank ").append(rank);
      switch (states[rank]) {
        case WAITING -> text.append(' ').append(waits[rank].text().get());
        case RUNNING -> text.append(" is in no collective call");
        case FINISHED -> text.append(" has left");
      }
    }
    return text.append(", schedule ").append(decisions).toString();
  }

  private void waitFor(BooleanSupplier condition, WaitLimit patience) {
    boolean interrupted = false;
    long started = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long left = patience.nanos() - (System.nanoTime() - started);
      if (left <= 0 && poison.isEmpty()) {
        poison(
            MpiErrorClass.TIMEOUT,
            "ranks have not begun a collective call: seconds=%d %s"
                .formatted(patience.seconds(), situation()),
            true);
        passToken();
      } else {
        interrupted |= waitForChange(left);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // An interrupt poisons the world; the interrupt flag is set again when the wait has
  // ended.
  @SuppressWarnings("WaitNotInLoop") // the caller contains the loop
  private boolean waitForChange(long nanos) {
    try {
      // wait(0) would wait without limit, so the minimum is 1 ms. The time left is negative if the
      // limit has expired while another rank has the token.
      wait(Math.max(1, nanos / NANOS_PER_MILLI));
      return false;
    } catch (InterruptedException e) {
      poison(MpiErrorClass.OTHER, "a rank was interrupted", true);
      return true;
    }
  }
}
