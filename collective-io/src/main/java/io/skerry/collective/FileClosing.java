package io.skerry.collective;

import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.util.function.Consumer;

/** Closes a file on all ranks, with or without storing its unflushed changes. Collective. */
final class FileClosing {
  private final FileGate gate;
  private final OpenState state;
  private final FileResources resources;
  private final CollectiveOutcome outcome;
  private final Consumer<LocalStatus> store;

  /**
   * Creates the object that closes an open file.
   *
   * @param store the action that stores all changes, within an operation that has already begun
   */
  FileClosing(
      FileGate gate,
      OpenState state,
      FileResources resources,
      CollectiveOutcome outcome,
      Consumer<LocalStatus> store) {
    this.gate = gate;
    this.state = state;
    this.resources = resources;
    this.outcome = outcome;
    this.store = store;
  }

  /**
   * Stores all changes and closes the file. A second call does nothing.
   *
   * @param first the action that runs when no other thread uses the file any longer, before the
   *     changes are stored
   */
  void close(Runnable first) {
    end(Operation.CLOSE, first);
  }

  /**
   * Closes the file without storing unflushed changes. A second call does nothing.
   *
   * @param first the action that runs when no other thread uses the file any longer, before it is
   *     closed
   */
  void discard(Runnable first) {
    end(Operation.DISCARD, first);
  }

  private void end(Operation operation, Runnable first) {
    if (state.isClosed()) {
      return;
    }
    gate.owner().require(operation, "");
    LocalStatus status = new LocalStatus();
    gate.close(
        () -> begin(operation, status, first),
        () -> {
          if (operation == Operation.DISCARD) {
            state.discard();
          }
          LocalStatus others = new LocalStatus();
          others.attempt(first::run);
          storeAndRelease(status, others);
        });
  }

  private void begin(Operation operation, LocalStatus status, Runnable first) {
    try {
      outcome.enter(operation, "", status);
    } catch (CollectiveException e) {
      throw e;
    } catch (RuntimeException e) {
      // The ranks can no longer communicate, so this rank releases its own resources, in
      // particular the lock of the file.
      try {
        first.run();
      } catch (RuntimeException other) {
        e.addSuppressed(other);
      } finally {
        resources.releaseAlone();
      }
      throw e;
    }
  }

  /**
   * Stores all changes and releases the resources.
   *
   * @param others the outcome, on this rank, of the action that runs first; a failure does not
   *     prevent the changes from being stored
   */
  private void storeAndRelease(LocalStatus status, LocalStatus others) {
    try {
      if (state.storesOnClose()) {
        store.accept(status);
      }
      agree(others);
    } finally {
      if (!outcome.isAbandoned()) {
        resources.release();
        outcome.leave();
      }
    }
  }

  /**
   * Throws an exception on all ranks if the action that runs first failed on any rank; if the ranks
   * can no longer communicate, only on the ranks where it failed.
   */
  private void agree(LocalStatus others) {
    if (outcome.isAbandoned()) {
      others
          .failure()
          .ifPresent(failure -> {
            throw failure;
          });
      return;
    }
    outcome.agree(others);
  }
}
