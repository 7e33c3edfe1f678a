package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs the steps of an open file: on one rank, or on all ranks that have the file open. A step that
 * fails is undone. Guarded by the gate of the file.
 *
 * @param store the container
 * @param ranks the ranks that have the file open
 * @param decoder decodes tiles with cells
 * @param soundness receives failures that cannot be undone
 */
record Steps(ContainerStore store, FileRanks ranks, TileDecoder decoder, Soundness soundness) {
  private StepChanges begin() {
    return new StepChanges(store.changes(), StepChanges.LIMIT);
  }

  private Step step(StepChanges changes) {
    return new Step(changes, changes.creating(store.ids()), store, ranks, decoder);
  }

  /** Runs a step of a single rank. */
  <T> T alone(Function<Step, T> change) {
    StepChanges changes = begin();
    try {
      return change.apply(step(changes));
    } catch (RuntimeException | Error e) {
      // Whatever the reason of the failure, no part of the change may reach the next flush.
      undo(changes, e);
      throw e;
    }
  }

  private void undo(StepChanges changes, Throwable cause) {
    try {
      if (!changes.undo()) {
        soundness.changeFailed("a failed change was too large to be undone", cause);
      }
    } catch (RuntimeException | Error e) {
      // Whatever the reason, the open transaction contains a part of the change.
      soundness.changeFailed("a failed change could not be undone", e);
      cause.addSuppressed(e);
    }
  }

  /**
   * Runs a step on each of several ranks. When the method returns, reads of all ranks see the
   * changes of all of them. Collective.
   *
   * @throws CollectiveException on all ranks if the step fails on any rank
   */
  <T> T together(Operation operation, String subject, String arguments, Function<Step, T> change) {
    LocalStatus status = new LocalStatus();
    // A rank without an open transaction cannot change anything, and the others must learn of it.
    // Changes are published, so that rank 0 can delete what other ranks have stored alone.
    status.attempt(() -> {
      var unused = store.changes();
      store.publish();
    });
    String all = arguments + store.transactions().described();
    ranks.enter(operation, subject, all, status);
    StepChanges changes = begin();
    try {
      Optional<T> result =
          status.attempt(() -> Optional.of(change.apply(step(changes))), Optional.empty());
      status.attempt(store::publish);
      ranks.conclude(status);
      return result.orElseThrow();
    } catch (CollectiveException e) {
      undoTogether(changes, e);
      throw e;
    } catch (RuntimeException e) {
      soundness.changeFailed("the ranks could not agree on a change", e);
      throw e;
    } finally {
      ranks.leave();
    }
  }

  private void undoTogether(StepChanges changes, CollectiveException cause) {
    if (ranks.outcome().isAbandoned()) {
      return;
    }
    LocalStatus status = new LocalStatus();
    status.attempt(() -> {
      if (!changes.undo()) {
        throw new IllegalStateException("a failed change was too large to be undone");
      }
      store.publish();
    });
    try {
      var unused = ranks.agree(status);
    } catch (CollectiveException e) {
      soundness.changeFailed("a failed change could not be undone", e);
      cause.addSuppressed(e);
    }
  }

  /**
   * Runs the part of rank 0 in a step of several ranks. Collective, within the step.
   *
   * @return the number that rank 0 returns
   * @throws RuntimeException of the same type on all ranks, if rank 0 fails
   */
  long led(Step step, Function<Step, Long> change) {
    LocalStatus status = new LocalStatus();
    long number = Long.MIN_VALUE;
    if (ranks.isFirst()) {
      number = status.attempt(() -> change.apply(step), number);
      status.attempt(store::publish);
    }
    long[] agreed = ranks.agree(new LocalStatus(), number, status.isGood() ? 0 : 1);
    if (agreed[1] != 0) {
      throw failed(status);
    }
    return agreed[0];
  }

  /** Passes the failure of rank 0 on to all ranks. */
  private RuntimeException failed(LocalStatus status) {
    byte[] mine = status.failure().map(e -> LedFailure.of(e).encode()).orElse(new byte[0]);
    LedFailure known = LedFailure.decode(ranks.communicator().broadcast(mine, 0));
    return status
        .failure()
        .orElseGet(() -> known.exception(soundness.file(), ranks.communicator().rankSet()));
  }
}
