package io.skerry.mpi;

/** The classes of failures, common to all back ends. */
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
  /** The file ends before the last requested byte. */
  SHORT_READ,
  /** Any other failure of an operation on a file. */
  IO,
  /**
   * Ranks disagree: they made different calls, their arguments are inconsistent, or they run
   * different builds of Skerry. Also used if a native MPI library does not belong to the launcher.
   */
  MISMATCH,
  /** No rank can proceed; detected only among ranks of {@link LocalRanks}. */
  DEADLOCK,
  /**
   * Another rank failed, so this call cannot complete; detected only among ranks of {@link
   * LocalRanks}, and with MPJ Express if a connection breaks.
   */
  PEER_FAILED,
  /**
   * Another rank did not begin a collective call within {@code skerry.patience} seconds; thrown
   * only among ranks of {@link LocalRanks}, since the other back ends end the job instead.
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
