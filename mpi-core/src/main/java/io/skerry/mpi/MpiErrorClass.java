package io.skerry.mpi;

/** Classes of failures, common to all back ends. */
public enum MpiErrorClass {
  /** A message longer than the buffer of its receive. */
  TRUNCATED,
  /** The file does not exist. */
  NO_SUCH_FILE,
  /** The file cannot be opened in this mode, or is not a regular file. */
  ACCESS,
  /** No space or quota left on the device. */
  NO_SPACE,
  /** The file ends before the requested bytes. */
  SHORT_READ,
  /** Any other failure of a file. */
  IO,
  /** Ranks disagree: they made different calls, or their arguments are inconsistent. */
  MISMATCH,
  /** Every rank waits for another one; detected only among ranks in one JVM. */
  DEADLOCK,
  /** Another rank failed, so this call cannot complete; detected only among ranks in one JVM. */
  PEER_FAILED,
  /** Another rank did not begin a collective call within {@code skerry.patience} seconds. */
  TIMEOUT,
  /** A rank called {@link Communicator#abort}. */
  ABORTED,
  /** No usable MPI library. */
  LIBRARY,
  /** Incorrect use, as reported by the MPI library. */
  USAGE,
  /** Any other failure. */
  OTHER
}
