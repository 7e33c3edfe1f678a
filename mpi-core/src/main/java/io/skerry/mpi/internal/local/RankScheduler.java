package io.skerry.mpi.internal.local;

import io.skerry.mpi.InjectedFailure;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.internal.base.WaitLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Decides which ranks of a world may proceed, and is the lock of everything they share.
 *
 * <p>A rank waits here and nowhere else. So the turnstile knows at any time what each rank waits
 * for, which makes a deadlock plain to see: nobody runs and nobody's condition holds. In a
 * serialised schedule one rank holds the token; it gives it up where it waits and at every point,
 * and the next holder is drawn from those whose condition holds.
 *
 * <p>When a rank fails the world is poisoned: whoever waits for something that has not happened
 * yet, or asks for anything new, gets an exception. After a failure that all ranks agreed on, new
 * calls are still allowed as far as they need nobody else, so that a slower rank meets its own copy
 * of the failure rather than an echo of the faster one's.
 */
final class RankScheduler {
  private static final int NOBODY = -1;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final BooleanSupplier ALWAYS = () -> true;

  private enum State {
    WAITING,
    RUNNING,
    FINISHED
  }

  /** A wait; its text is put together only when somebody asks, for most waits end at once. */
  private record Wait(Supplier<String> text, BooleanSupplier ready) {}

  private record Poison(MpiErrorClass errorClass, String text, boolean strict) {}

  private final SeededChoices decisions;
  private final State[] states;
  private final Wait[] waits;
  private final long[] calls;
  private Optional<Poison> poison = Optional.empty();
  private int token = NOBODY;
  private long step;

  RankScheduler(int ranks, SeededChoices decisions) {
    this.decisions = decisions;
    this.states = new State[ranks];
    this.waits = new Wait[ranks];
    this.calls = new long[ranks];
    Arrays.fill(states, State.WAITING);
    Arrays.fill(waits, new Wait(() -> "waits for its turn", ALWAYS));
  }

  SeededChoices decisions() {
    return decisions;
  }

  /** Lets the first rank in; for a world whose ranks {@link #start}. */
  synchronized void begin() {
    passToken();
  }

  /** A rank's thread begins. */
  synchronized void start(int rank) {
    waitFor(() -> !decisions.serialised() || token == rank, WaitLimit.UNLIMITED);
    states[rank] = State.RUNNING;
  }

  /** A rank's thread is through. */
  synchronized void finish(int rank) {
    states[rank] = State.FINISHED;
    passToken();
    findDeadlock();
    notifyAll();
  }

  /** Nothing more can succeed. Only the first poison counts. */
  synchronized void poison(MpiErrorClass errorClass, String text, boolean strict) {
    if (poison.isEmpty()) {
      poison = Optional.of(new Poison(errorClass, text, strict));
    }
    notifyAll();
  }

  /** A point of the schedule: delays, failures, another rank's turn. Returns the point's index. */
  long point(LocalCommunicator caller, String operation) {
    int rank = caller.worldRank();
    long call = calls[rank]++;
    if (decisions.fails(rank, call)) {
      throw new InjectedFailure(rank, call, operation);
    }
    if (decisions.jittered()) {
      LockSupport.parkNanos(decisions.delayNanos(rank, call));
    }
    synchronized (this) {
      if (decisions.serialised()) {
        await(caller, operation, "its turn", ALWAYS);
      }
      if (poison.isPresent() && poison.get().strict()) {
        throw caller.failure(operation, poison.get().errorClass(), poison.get().text());
      }
    }
    return call;
  }

  /** Waits until the condition holds; it is evaluated under this lock, which the caller holds. */
  void await(LocalCommunicator caller, String operation, String what, BooleanSupplier ready) {
    await(
        caller,
        operation,
        () -> "waits in %s of %s for %s".formatted(operation, caller.name(), what),
        WaitLimit.UNLIMITED,
        ready);
  }

  /**
   * Waits until the condition holds; it is evaluated under this lock, which the caller holds. After
   * the patience nothing more can succeed: the failure of all ranks has the positions of all.
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

  /** Fails a poll that would otherwise go on for ever; the caller holds the lock. */
  void refuseIfPoisoned(LocalCommunicator caller, String operation) {
    if (poison.isPresent()) {
      throw caller.failure(operation, poison.get().errorClass(), poison.get().text());
    }
  }

  /** Whether nothing more can succeed. */
  synchronized boolean poisoned() {
    return poison.isPresent();
  }

  private boolean mayRun(int rank) {
    return decisions.serialised() ? token == rank : runnable(rank);
  }

  private boolean runnable(int rank) {
    return states[rank] == State.WAITING
        && (poison.isPresent() || waits[rank].ready().getAsBoolean());
  }

  private void passToken() {
    notifyAll();
    if (!decisions.serialised()) {
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
            ? NOBODY
            : candidates.get(decisions.nextRank(step++, candidates.size()));
  }

  private void findDeadlock() {
    boolean anyoneWaits = false;
    for (int rank = 0; rank < states.length; rank++) {
      if (states[rank] == State.RUNNING || runnable(rank)) {
        return;
      }
      anyoneWaits |= states[rank] == State.WAITING;
    }
    if (anyoneWaits) {
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
            "ranks have not come to a collective call: seconds=%d %s"
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

  // An interrupt ends the job; the flag is set again when the rank leaves the turnstile.
  private boolean waitForChange(long nanos) {
    try {
      // Without an argument above 0 the wait has no limit; the limit may be over, and the token
      // another rank's.
      wait(Math.max(1, nanos / NANOS_PER_MILLI));
      return false;
    } catch (InterruptedException e) {
      poison(MpiErrorClass.OTHER, "a rank was interrupted", true);
      return true;
    }
  }
}
