package io.skerry.mpi;

/**
 * The order of the collective calls of one communicator. Ranks compare the identity of a call when
 * they begin it, in one all-reduce of a vector of fixed length, before any of them does something
 * that only the same call of the other ranks can complete. All files that a program opens on a
 * communicator use the order of that communicator, so that calls on different files are compared
 * too.
 *
 * <p>A rank that waits for the others longer than {@code -Dskerry.patience} seconds (300 by
 * default, 0 without limit) ends the job with the positions of the ranks on standard error. Ranks
 * that are threads get an {@link MpiException} of class {@link MpiErrorClass#TIMEOUT} instead.
 */
public interface CallOrder extends AutoCloseable {
  /** The greatest number of words of a call. */
  int MOST_WORDS = 8;

  /**
   * Begins a call and returns when all ranks have begun the same call. Collective.
   *
   * @param call the call of this rank
   * @param words at most {@link #MOST_WORDS} numbers, the same count on all ranks that begin the
   *     same call
   * @return the maximum of each word over the ranks
   * @throws CallMismatchException on every rank if the ranks have begun different calls, or a rank
   *     has ended MPI; nothing but the comparison was sent
   * @throws MpiException of class {@link MpiErrorClass#TIMEOUT} if ranks are threads and one of
   *     them has not begun the call in time
   */
  long[] begin(CollectiveCall call, long... words);

  /**
   * Agrees within a call that all ranks have begun, and detects ranks that have left it. Waits
   * without limit, since the work of a call may take long. Collective.
   *
   * @param call the call of this rank
   * @param words at most {@link #MOST_WORDS} numbers, the same count on all ranks
   * @return the maximum of each word over the ranks
   * @throws CallMismatchException on every rank if one of them begins another call
   */
  long[] agree(CollectiveCall call, long... words);

  /** Returns another use of this order, which the caller must close. Local. */
  CallOrder another();

  /**
   * Releases this use of the order. The communicator is freed when its owner has closed it and no
   * use is left. Collective if the communicator is closed.
   */
  @Override
  void close();
}
