package io.skerry.mpi.internal.openmpi;

/** A call into the jar, which may throw anything. */
@FunctionalInterface
interface JarCall {
  /** Calls. */
  void run() throws Throwable;

  /** A call with an answer. */
  @FunctionalInterface
  interface Answering<T> {
    /** Calls. */
    T run() throws Throwable;
  }
}
