package io.skerry.mpi;

import java.util.List;
import java.util.Map;

/**
 * Starts the back ends of this package. {@link Mpi}, {@link Communicator} and {@link LocalRanks}
 * look it up as a service; programs do not use it.
 */
public interface MpiProvider {
  /**
   * Starts the back end that the launcher of this process asks for, without a launcher the one of
   * one rank that needs no library. Collective over the job.
   *
   * @param arguments of {@code main}, with those that a launcher has put in front
   * @param environment of the process, or that of the rank if several share a process
   * @throws MpiException as {@link Mpi#start()}
   */
  MpiSession start(List<String> arguments, Map<String, String> environment);

  /**
   * Starts the MPI library although no launcher may have started this process: a world of one rank
   * then. Collective over the job.
   *
   * @param arguments of {@code main}, with those that a launcher has put in front
   * @param environment of the process, or that of the rank if several share a process
   * @throws MpiException as {@link Mpi#start()}
   */
  MpiSession startLibrary(List<String> arguments, Map<String, String> environment);

  /** Returns a new communicator of one rank; needs no library. Local. */
  Communicator self();

  /**
   * Runs a function on ranks that are threads of this JVM, see {@link LocalRanks}.
   *
   * @param ranks number of ranks, at least 1
   * @param schedule order in which the ranks proceed
   * @return the results, by rank
   */
  <T> List<T> callOnThreads(int ranks, Schedule schedule, RankFunction<T> function);
}
