package io.skerry.mpi;

/** The part of a program that runs between initialisation and finalisation of MPI. */
@FunctionalInterface
public interface MpiBody {
  /** Runs on every rank and returns the exit code of the process. */
  int run(Communicator world) throws Exception;
}
