package io.skerry.collective;

import io.skerry.collective.step.FileGate;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.nio.file.Path;

/** Decides whether an open file may be used, and for what. Local. */
final class OpenState {
  private final Path path;
  private final FileAccess access;
  private final FileGate gate;
  private final FileResources resources;
  private volatile boolean discarded;

  OpenState(FileConnection connection, FileGate gate, FileResources resources) {
    this.path = connection.others().path();
    this.access = connection.access();
    this.gate = gate;
    this.resources = resources;
  }

  /** Records that unflushed changes are discarded. */
  void discard() {
    discarded = true;
  }

  /** Returns true if the file is closed. */
  boolean isClosed() {
    return resources.isClosed();
  }

  /** Returns true if closing the file stores its unflushed changes. */
  boolean storesOnClose() {
    return access != FileAccess.READ && !isBroken();
  }

  /** Returns true if nothing may be stored any more; any operation may have broken a commit. */
  private boolean isBroken() {
    return discarded || resources.isCommitInterrupted();
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
    if (isClosed()) {
      throw gate.isClosed();
    }
    if (isBroken()) {
      throw new IllegalStateException(
          "a commit of this file failed; open it again to recover: file=" + path);
    }
  }
}
