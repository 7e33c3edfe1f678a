package io.skerry.mpi;

/** Function that each rank computes. */
@FunctionalInterface
public interface RankFunction<T> {
  /** Runs on every rank, each with its own view of the same communicator. */
  T call(Communicator world) throws Exception;
}
