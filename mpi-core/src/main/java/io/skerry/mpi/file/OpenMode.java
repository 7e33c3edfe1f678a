package io.skerry.mpi.file;

import io.skerry.mpi.Communicator;

/** Access mode of {@link Communicator#openFile}. */
public enum OpenMode {
  /** An existing file, for reading. */
  READ,
  /** An existing file, for reading and writing. */
  WRITE,
  /** A new file, or an existing one truncated to 0 bytes, for reading and writing. */
  CREATE,
  /**
   * A new file, for reading and writing. An existing name, including a dangling symbolic link, is
   * refused on all ranks; of several programs that create the same file, exactly one succeeds.
   */
  CREATE_NEW
}
