package io.skerry.mpi;

/** What a program does that looks at more than its ranks. */
@FunctionalInterface
public interface MpiProgram {
  /** Runs on every rank and returns the process's exit code. */
  int run(Mpi mpi) throws Exception;
}
