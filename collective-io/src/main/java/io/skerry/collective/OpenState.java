package io.skerry.collective;

import io.skerry.collective.commit.Commit;
import io.skerry.collective.step.FileGate;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.nio.file.Path;
import java.util.Optional;

/** Decides whether an open file may be used, and for what. Local. */
final class OpenState {
  private final Path path;
  private final FileAccess access;
  private final FileGate gate;
  private volatile Optional<Commit> commit = Optional.empty();
  private volatile boolean discarded;
  private volatile boolean closed;

  OpenState(Path path, FileAccess access, FileGate gate) {
    this.path = path;
    this.access = access;
    this.gate = gate;
  }

  /** Watches a commit: after one that broke, nothing may be stored. */
  void watch(Commit watched) {
    commit = Optional.of(watched);
  }

  /** Records that what was not flushed is given up. */
  void discard() {
    discarded = true;
  }

  /** Records that the file is closed. */
  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns whether nothing may be stored any more; a commit may have broken in any operation. */
  boolean isBroken() {
    return discarded || commit.map(Commit::isInterrupted).orElse(false);
  }

  /**
   * Refuses an operation that the file does not allow.
   *
   * @throws IllegalStateException if the file is closed or broken, or open for reading only
   */
  void checkAllowed(Operation operation) {
    if (operation.changesFile()) {
      checkWritable();
    } else {
      checkOpen();
    }
  }

  /**
   * Refuses a file that cannot be changed.
   *
   * @throws IllegalStateException if it is closed, broken, or open for reading only
   */
  void checkWritable() {
    checkOpen();
    if (access == FileAccess.READ) {
      throw new IllegalStateException("the file is open for reading only: file=" + path);
    }
  }

  /**
   * Refuses a file that cannot be used.
   *
   * @throws IllegalStateException if it is closed or broken
   */
  void checkOpen() {
    if (closed) {
      throw gate.isClosed();
    }
    if (isBroken()) {
      throw new IllegalStateException(
          "a commit of this file failed; open it again to recover: file=" + path);
    }
  }
}
