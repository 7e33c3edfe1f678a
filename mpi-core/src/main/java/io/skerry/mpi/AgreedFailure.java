package io.skerry.mpi;

/**
 * Marks a throwable that all ranks of a communicator throw at the same point, after agreeing on it.
 * {@link Mpi#run} does not abort the job for such a failure if all ranks of the job have agreed on
 * it: rank 0 prints the message, all ranks end MPI normally, and the exit code is 1.
 */
public interface AgreedFailure {
  /**
   * Returns whether at least the given number of ranks have agreed on the failure. Ranks outside a
   * smaller communicator do not know of a failure on which only that communicator has agreed, and
   * may be waiting for the ranks that throw it. The default implementation returns true. Local,
   * thread-safe; does not fail.
   *
   * @param ranks the number of ranks that must throw the failure
   */
  default boolean isAgreedAmong(int ranks) {
    return true;
  }

  /**
   * Returns whether a throwable is an {@link AgreedFailure} on which at least the given number of
   * ranks have agreed. Local, thread-safe; does not fail.
   *
   * @param failure the throwable
   * @param ranks the number of ranks that must throw the failure
   */
  static boolean isAgreed(Throwable failure, int ranks) {
    return failure instanceof AgreedFailure agreed && agreed.isAgreedAmong(ranks);
  }
}
