package io.skerry.mpi;

/** What a program does with its ranks. */
@FunctionalInterface
public interface MpiBody {
  /** Runs on every rank and returns the process's exit code. */
  int run(Communicator world) throws Exception;
}
