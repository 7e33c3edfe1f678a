package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.collective.commit.WriterLock;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.FileGate;
import java.util.Optional;

/**
 * The resources of a file on one rank, from opening to closing: communicator, file handle, watchdog
 * and lock, and, once the metadata is known, cache, threads and memory. They are also released if
 * the opening fails, as far as they exist.
 */
final class FileResources {
  private final FileConnection connection;
  private final FileGate gate;
  private volatile Optional<LoadedResources> loaded = Optional.empty();
  private volatile boolean closed;

  /** The resources that exist only once the metadata is known. */
  private record LoadedResources(FileContext context, Commit commit) {}

  FileResources(FileConnection connection, FileGate gate) {
    this.connection = connection;
    this.gate = gate;
  }

  /**
   * Takes the resources that exist once the metadata is known.
   *
   * @param commit closes the lock of the file
   */
  void add(FileContext context, Commit commit) {
    loaded = Optional.of(new LoadedResources(context, commit));
  }

  /** Returns true if the resources are released. */
  boolean isClosed() {
    return closed;
  }

  /** Returns true if a commit failed after it began, so that nothing may be stored any more. */
  boolean isCommitInterrupted() {
    return loaded.map(parts -> parts.commit().isInterrupted()).orElse(false);
  }

  /** Releases everything without storing anything. Collective. */
  void release() {
    closeGate();
    try {
      releaseLocal();
    } finally {
      try (var _ = connection.outcome().order();
          var ranks = connection.ranks();
          var _ = connection.file()) {
        connection.watchdog().close();
        // A rank may open the file again, even alone, as soon as it has closed it: no rank may have
        // it open then.
        ranks.barrier();
      }
    }
  }

  /**
   * Releases what this rank holds without the other ranks, one of which has ended MPI, and without
   * storing anything. Local.
   */
  void releaseAlone() {
    closeGate();
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
      connection.lock().ifPresent(WriterLock::close);
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
      // No other program opens the file for writing while the journal is open.
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
