package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileAccess;
import java.util.Optional;

/**
 * Commits the changes of an open file, and closes it. Collective, within an operation.
 *
 * @param access the access mode
 * @param store the container
 * @param ranks the ranks that have the file open
 * @param soundness the failures of changes
 */
record Commits(FileAccess access, ContainerStore store, FileRanks ranks, Soundness soundness) {
  private CommitException uncommitted(String what, RuntimeException cause) {
    return new CommitException(
        what + ": file=" + soundness.file() + " reason=" + cause.getMessage(),
        cause,
        ranks.communicator().rankSet());
  }

  /**
   * Makes all changes durable in one transaction.
   *
   * @throws CommitException on all ranks if the commit fails
   */
  void commit() {
    try {
      store.flush(soundness.here());
    } catch (RuntimeException e) {
      soundness.commitFailed(e);
      throw ranks.outcome().isAbandoned() ? e : uncommitted("the transaction of a flush failed", e);
    } catch (Error e) {
      // A later flush must not store the rest of the transaction.
      soundness.commitFailed(new IllegalStateException("a flush failed", e));
      throw e;
    }
  }

  /**
   * Makes the last changes durable, if the file is open for writing. If the program delimits its
   * transactions, an open one is aborted.
   *
   * @throws CommitException on all ranks if the commit fails, or an earlier change has failed
   *     permanently
   */
  void commitLast() {
    if (access != FileAccess.READ && store.transactions().isDelimited()) {
      end();
      return;
    }
    Optional<RuntimeException> failed = soundness.failedChange();
    if (failed.isPresent()) {
      throw uncommitted("the changes since the last flush are lost", failed.get());
    }
    if (access != FileAccess.READ && soundness.isSound()) {
      commit();
    }
  }

  /** Aborts the open transaction, including the failed changes, and persists the other ones. */
  private void end() {
    if (soundness.hasFailedFlush()) {
      return;
    }
    try {
      store.transactions().end();
    } catch (RuntimeException e) {
      throw ranks.outcome().isAbandoned()
          ? e
          : uncommitted("the transactions could not be persisted", e);
    }
  }

  /**
   * Closes the container, and throws the failure of the last flush, which is the same on all ranks.
   *
   * @param flushed the status of the flush
   * @throws io.skerry.parallel.CollectiveException on all ranks if the flush has not failed, and a
   *     rank cannot close the container
   */
  void end(LocalStatus flushed) {
    try {
      if (!ranks.outcome().isAbandoned()) {
        LocalStatus closed = new LocalStatus();
        closed.attempt(store::close);
        flushed.attemptAll(() -> {
          // A single rank agrees, too, since that turns its failure into a CollectiveException.
          var unused = ranks.agree(closed);
        });
      }
    } finally {
      ranks.leave();
      ranks.close();
    }
    flushed.throwFailure();
  }
}
