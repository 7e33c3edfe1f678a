package io.skerry.mpi;

/** A back end that has been started in this process, or in this rank of several in a process. */
public interface MpiSession {
  /** All ranks of the job; belongs to the thread that started the session. */
  Communicator world();

  /** What was started. Not collective. */
  MpiInstallation installation();

  /** Ends it. Collective over the world, called once. */
  void finish();
}
