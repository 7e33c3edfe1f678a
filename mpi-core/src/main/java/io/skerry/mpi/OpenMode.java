package io.skerry.mpi;

/** How {@link Communicator#openFile} opens a file. */
public enum OpenMode {
  /** An existing file, for reading. */
  READ,
  /** An existing file, for reading and writing. */
  WRITE,
  /** A new file, or an existing one cut to nothing, for reading and writing. */
  CREATE
}
