package io.skerry.mpi;

/** A function that is computed on each rank. */
@FunctionalInterface
public interface RankFunction<T> {
  /** Runs on every rank; each rank has its own communicator object of the same group. */
  T call(Communicator world) throws Exception;
}
