package io.skerry.mpi;

/** Kinds of failure, the same for every back end. */
public enum MpiErrorClass {
  /** A message longer than the buffer of its receive. */
  TRUNCATED,
  /** The file does not exist. */
  NO_SUCH_FILE,
  /** The file may not be opened so, or is not a file. */
  ACCESS,
  /** No space or quota left on the device. */
  NO_SPACE,
  /** The file ended before the bytes asked for. */
  SHORT_READ,
  /** Any other failure of a file. */
  IO,
  /** Ranks disagree: different calls, or arguments that do not fit together. */
  MISMATCH,
  /** Every rank waits for another; only ranks in one JVM can tell. */
  DEADLOCK,
  /** Another rank failed, so this call cannot complete; only ranks in one JVM can tell. */
  PEER_FAILED,
  /** Another rank has not come to a collective call within the patience. */
  TIMEOUT,
  /** A rank called {@link Communicator#abort}. */
  ABORTED,
  /** No usable MPI library. */
  LIBRARY,
  /** Wrong use, as the MPI library sees it. */
  USAGE,
  /** Everything else. */
  OTHER
}
