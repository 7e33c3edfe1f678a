package io.skerry.mpi.internal.base;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * The actions that a rank runs while it waits for others in the call order of a communicator; see
 * {@link io.skerry.mpi.CallOrder#addWaitingAction}.
 */
public final class WaitingActions {
  private final List<BooleanSupplier> actions = new CopyOnWriteArrayList<>();

  WaitingActions() {}

  void add(BooleanSupplier action) {
    actions.add(action);
  }

  void remove(BooleanSupplier action) {
    actions.remove(action);
  }

  /** Returns whether there are no actions. */
  public boolean isEmpty() {
    return actions.isEmpty();
  }

  /** Runs all actions once; returns whether one of them has done anything. */
  public boolean run() {
    if (actions.isEmpty()) {
      // A rank without actions spins here while it waits.
      return false;
    }
    boolean any = false;
    for (BooleanSupplier action : actions) {
      any |= action.getAsBoolean();
    }
    return any;
  }
}
