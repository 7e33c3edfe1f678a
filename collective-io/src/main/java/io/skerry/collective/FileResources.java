package io.skerry.collective;

import io.skerry.collective.commit.WriterLock;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import java.util.Optional;

/**
 * The resources of an open file on one rank: communicator, file handle, watchdog and lock, and,
 * after the metadata is loaded, cache, threads and memory. If opening the file fails, the resources
 * that already exist are released.
 */
final class FileResources {
  private final FileConnection connection;
  private final FileGate gate;
  private volatile Optional<LoadedResources> loaded = Optional.empty();
  private volatile boolean closed;

  FileResources(FileConnection connection, FileGate gate) {
    this.connection = connection;
    this.gate = gate;
  }

  /** Adds the resources that exist only after the metadata is loaded. */
  void add(LoadedResources resources) {
    loaded = Optional.of(resources);
  }

  /** Returns true if the resources have been released. */
  boolean isClosed() {
    return closed;
  }

  /**
   * Returns true if a commit failed and could not be undone, so that nothing more may be stored.
   */
  boolean isCommitInterrupted() {
    return loaded.map(parts -> parts.commit().isInterrupted()).orElse(false);
  }

  /** Releases all resources without storing anything. Collective. */
  void release() {
    closeGate();
    try {
      releaseInTurn();
    } finally {
      try (var _ = connection.outcome().order();
          var _ = connection.ranks()) {
        connection.watchdog().close();
        LocalStatus status = new LocalStatus();
        status.attempt(() -> connection.file().close());
        // As soon as this method returns, a rank may open the file again, even alone, so all
        // ranks must have released their locks on the file by then.
        connection.outcome().agreeOnRelease(status);
      }
    }
  }

  /**
   * Releases the resources of rank 0 after those of the other ranks. Rank 0 removes the journal: if
   * it did so earlier, another program could create a new journal, lock it, and write to the file
   * while a rank that holds a lock on the removed journal still has a write in progress.
   */
  private void releaseInTurn() {
    if (connection.ranks().rank() > 0) {
      try {
        releaseLocal();
      } finally {
        connection.ranks().barrier();
      }
      return;
    }
    boolean othersReleased = false;
    try {
      connection.ranks().barrier();
      othersReleased = true;
    } finally {
      if (!othersReleased) {
        connection.lock().ifPresent(WriterLock::keepJournal);
      }
      releaseLocal();
    }
  }

  /**
   * Releases the resources of this rank without storing anything and without the other ranks, for
   * example because one of them has finalized MPI. Keeps the journal, since other ranks may still
   * hold locks on it; it is removed when the file is next opened for writing. Local.
   */
  void releaseAlone() {
    closeGate();
    connection.lock().ifPresent(WriterLock::keepJournal);
    try {
      releaseLocal();
    } finally {
      connection.watchdog().close();
      connection.file().abandon();
    }
  }

  private void closeGate() {
    gate.closeWithin();
    closed = true;
  }

  private void releaseLocal() {
    if (loaded.isPresent()) {
      release(loaded.get());
    } else {
      try {
        connection.live().dropWritten(connection.ranks().rank());
      } finally {
        connection.lock().ifPresent(WriterLock::close);
      }
    }
  }

  private void release(LoadedResources parts) {
    FileContext context = parts.context();
    try {
      context.cache().close();
      context.workers().close();
    } finally {
      releaseCommit(parts);
    }
  }

  private void releaseCommit(LoadedResources parts) {
    try {
      // The journal is closed, and its lock released, only after all writes of this rank have
      // ended, since another program can open the file for writing as soon as the lock is released.
      parts.commit().close();
    } finally {
      if (connection.outcome().isAbandoned()) {
        parts.context().pool().abandon();
      } else {
        parts.context().pool().close();
      }
    }
  }
}
