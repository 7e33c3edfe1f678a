package io.skerry.mpi;

/** A program that runs on each rank. */
@FunctionalInterface
public interface RankBody {
  /** Runs on every rank; each rank has its own communicator object of the same group. */
  void run(Communicator world) throws Exception;
}
