package io.skerry.mpi;

/** Program of each rank. */
@FunctionalInterface
public interface RankBody {
  /** Runs on every rank, each with its own view of the same communicator. */
  void run(Communicator world) throws Exception;
}
