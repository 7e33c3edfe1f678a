package io.skerry.mpi.file;

import io.skerry.mpi.Communicator;

/** Access mode of {@link Communicator#openFile}. */
public enum OpenMode {
  /** An existing file, for reading. */
  READ,
  /** An existing file, for reading and writing. */
  WRITE,
  /** A new file, or an existing one cut to nothing, for reading and writing. */
  CREATE,
  /**
   * A new file, for reading and writing. A name that is taken, be it by a symbolic link that leads
   * nowhere, is refused on all ranks; of several programs that create the same file one succeeds.
   */
  CREATE_NEW
}
