package io.skerry.mpi;

/**
 * Marks a throwable that a set of ranks throws at the same point, after agreeing on it. The set may
 * consist of a single rank. {@link Mpi#run} does not abort the job for such a failure if all ranks
 * of the job have agreed on it: rank 0 prints the message, all ranks end MPI normally, and the exit
 * code is 1.
 */
public interface AgreedFailure {
  /**
   * Returns the ranks that have agreed on the failure and throw it; a set of one rank if this rank
   * failed alone. Ranks outside the set are unaware of the failure and may wait for the ranks in
   * the set. Local, thread-safe; does not fail.
   */
  Communicator.RankSet agreedRanks();

  /**
   * Returns whether a throwable is an {@link AgreedFailure} on which at least the given ranks have
   * agreed. Local, thread-safe; does not fail.
   *
   * @param failure the throwable, thrown on this rank
   * @param ranks the ranks of a communicator that contains this rank
   * @return true if all given ranks throw the failure
   */
  static boolean isAgreed(Throwable failure, Communicator.RankSet ranks) {
    return failure instanceof AgreedFailure agreed && agreed.agreedRanks().containsAll(ranks);
  }
}
