package io.skerry.mpi;

/** A back end that has been started in this process, or in this rank of several in a process. */
public interface MpiSession {
  /** Communicator of all ranks of the job; used by the thread that started the session. */
  Communicator world();

  /** Description of the MPI library of this session. Not collective. */
  MpiInstallation installation();

  /** Finalizes the back end. Collective over the world, called once, by {@link #end}. */
  void finish();

  /**
   * Ends the session. Collective over the world, called once. Ranks that wait for this one in a
   * {@link CallOrder} of the world get a {@link CallMismatchException}.
   */
  default void end() {
    try (CallOrder calls = world().callOrder()) {
      calls.begin(CollectiveCall.leaving());
    } catch (CallMismatchException _) {
      // The other ranks throw it as well; for the rank that leaves it is no failure.
    }
    finish();
  }

  /**
   * Ends the processes of the whole job after a failure of this rank. Local.
   *
   * @param code exit code of the job
   */
  default void abort(int code) {
    world().abort(code);
  }
}
