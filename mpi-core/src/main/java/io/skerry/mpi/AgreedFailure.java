package io.skerry.mpi;

/**
 * Marks a throwable that all ranks of a communicator throw at the same point, after agreeing on it.
 * {@link Mpi#run} does not abort the job for such a failure if it was agreed among all ranks of the
 * job: rank 0 prints the message, all ranks end MPI normally, and the exit code is 1.
 */
public interface AgreedFailure {
  /**
   * Returns whether the failure was agreed among at least the given number of ranks. A failure that
   * was agreed in a smaller communicator is unknown to the other ranks, which may wait for those
   * that throw it. The default implementation returns true. Local, thread-safe; does not fail.
   *
   * @param ranks the number of ranks that must throw the failure
   */
  default boolean isAgreedAmong(int ranks) {
    return true;
  }

  /**
   * Returns whether a throwable is an {@link AgreedFailure} that was agreed among at least the
   * given number of ranks. Local, thread-safe; does not fail.
   *
   * @param failure the throwable
   * @param ranks the number of ranks that must throw the failure
   */
  static boolean isAgreed(Throwable failure, int ranks) {
    return failure instanceof AgreedFailure agreed && agreed.isAgreedAmong(ranks);
  }
}
