package io.skerry.mpi.internal.openmpi;

/** A call to the Java bindings, which may throw any throwable. */
@FunctionalInterface
interface JarCall {
  /** Makes the call. */
  void run() throws Throwable;

  /** A call that returns a result. */
  @FunctionalInterface
  interface Answering<T> {
    /** Makes the call and returns its result. */
    T run() throws Throwable;
  }
}
