package io.skerry.mpi.file;

import io.skerry.mpi.Communicator;

/** The access mode of {@link Communicator#openFile}. */
public enum OpenMode {
  /** An existing file, for reading. */
  READ,
  /** An existing file, for reading and writing. */
  WRITE,
  /** A new file, or an existing file truncated to 0 bytes, for reading and writing. */
  CREATE,
  /**
   * A new file, for reading and writing. If the name exists, even as a dangling symbolic link, the
   * call fails on all ranks. If several programs create the same file, at most one of them
   * succeeds.
   */
  CREATE_NEW
}
