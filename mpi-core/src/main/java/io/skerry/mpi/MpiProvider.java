package io.skerry.mpi;

import java.util.List;
import java.util.Map;

/**
 * Starts the back ends of this module. {@link Mpi}, {@link Communicator} and {@link LocalRanks}
 * look up the provider as a service; programs do not use it directly.
 */
public interface MpiProvider {
  /**
   * Starts the back end that fits the launcher of this process. Without a launcher, starts the back
   * end for a single rank, which needs no library. Collective over the job.
   *
   * @param arguments all arguments of {@code main}, including those that a launcher has inserted
   * @param environment the environment of the process, or of the rank if several ranks share a
   *     process
   * @return the running session
   * @throws MpiException in the same cases as {@link Mpi#start()}
   * @throws IllegalStateException in the same cases as {@link Mpi#start()}
   * @throws IllegalArgumentException in the same cases as {@link Mpi#start()}
   */
  MpiSession start(List<String> arguments, Map<String, String> environment);

  /**
   * Starts the MPI library even if no launcher has started this process; the world then has one
   * rank. Collective over the job.
   *
   * @param arguments all arguments of {@code main}, including those that a launcher has inserted
   * @param environment the environment of the process, or of the rank if several ranks share a
   *     process
   * @return the running session
   * @throws MpiException in the same cases as {@link Mpi#startLibrary}
   * @throws IllegalStateException in the same cases as {@link Mpi#start()}
   * @throws IllegalArgumentException in the same cases as {@link Mpi#start()}
   */
  MpiSession startLibrary(List<String> arguments, Map<String, String> environment);

  /**
   * Creates a communicator that contains only the calling rank. It does not require an MPI library.
   * Local, thread-safe; does not fail.
   *
   * @return a new communicator, on which {@link Communicator#close} has no effect
   */
  Communicator self();

  /**
   * Runs a function on ranks that are threads of this JVM; see {@link LocalRanks}. Local,
   * thread-safe.
   *
   * @param ranks the number of ranks, at least 1
   * @param schedule the interleaving of the ranks
   * @param function the function to run on each rank
   * @return the results of the ranks, in rank order
   * @throws IllegalArgumentException if the number of ranks is less than 1
   * @throws RuntimeException if a rank fails with an exception, or its result is null; an {@link
   *     Error} is thrown unchanged
   */
  <T> List<T> callOnThreads(int ranks, Schedule schedule, LocalRanks.Function<T> function);
}
