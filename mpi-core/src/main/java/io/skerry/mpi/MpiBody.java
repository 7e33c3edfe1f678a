package io.skerry.mpi;

/** The part of a program that runs between initialisation and finalisation of MPI. */
@FunctionalInterface
public interface MpiBody {
  /** Runs on every rank and returns the process's exit code. */
  int run(Communicator world) throws Exception;
}
