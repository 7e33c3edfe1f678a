package io.skerry.mpi;

/** What each rank does. */
@FunctionalInterface
public interface RankBody {
  /** Runs on every rank, each with its own view of the same communicator. */
  void run(Communicator world) throws Exception;
}
