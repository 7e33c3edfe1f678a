package io.skerry.collective;

import io.skerry.collective.step.FileGate;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.nio.file.Path;

/** Determines which operations an open file currently allows. Local. */
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

  /**
   * Returns true if nothing more may be stored, because changes were discarded or a commit was
   * interrupted.
   */
  private boolean isBroken() {
    return discarded || resources.isCommitInterrupted();
  }

  /**
   * Throws an exception if the file does not allow an operation.
   *
   * @throws IllegalStateException if the file is closed, if its changes were discarded, if a commit
   *     was interrupted, or if the operation changes the file and the file is open for reading only
   */
  void checkAllowed(Operation operation) {
    if (operation.changesFile()) {
      checkWritable();
    } else {
      checkOpen();
    }
  }

  /**
   * Throws an exception if the file cannot be changed.
   *
   * @throws IllegalStateException if the file is closed or open for reading only, if its changes
   *     were discarded, or if a commit was interrupted
   */
  void checkWritable() {
    checkOpen();
    if (access == FileAccess.READ) {
      throw new IllegalStateException("the file is open for reading only: file=" + path);
    }
  }

  /**
   * Throws an exception if the file cannot be used.
   *
   * @throws IllegalStateException if the file is closed, if its changes were discarded, or if a
   *     commit was interrupted
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
