package io.skerry.mpi;

/** Classes of failures, common to all back ends. */
public enum MpiErrorClass {
  /** A message is longer than the buffer that receives it. */
  TRUNCATED,
  /** The file does not exist. */
  NO_SUCH_FILE,
  /**
   * The file cannot be opened in this mode, for example because access is denied or the path is a
   * directory.
   */
  ACCESS,
  /** The device is full, or the quota is exceeded. */
  NO_SPACE,
  /** The file ends before the requested bytes. */
  SHORT_READ,
  /** Any other failure of an operation on a file. */
  IO,
  /**
   * Ranks disagree: they made different calls, their arguments are inconsistent, or they run
   * different builds of Skerry. Also used if a native MPI library does not belong to the launcher.
   */
  MISMATCH,
  /** Every rank waits for another rank; detected only among ranks in one JVM. */
  DEADLOCK,
  /**
   * Another rank failed, so this call cannot complete; detected only among ranks in one JVM, and
   * with MPJ Express if a connection breaks.
   */
  PEER_FAILED,
  /**
   * Another rank did not begin a collective call within {@code skerry.patience} seconds; thrown
   * only among ranks in one JVM, since with an MPI library the job is ended instead.
   */
  TIMEOUT,
  /** A rank called {@link Communicator#abort}. */
  ABORTED,
  /** There is no usable MPI library. */
  LIBRARY,
  /** Incorrect use, as reported by the MPI library. */
  USAGE,
  /** Any other failure. */
  OTHER
}
