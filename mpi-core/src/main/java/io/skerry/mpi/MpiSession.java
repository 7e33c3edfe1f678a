package io.skerry.mpi;

/**
 * A back end that was started in this process, or for this rank if several ranks share a process.
 */
public interface MpiSession {
  /**
   * Communicator of all ranks of the job, for the thread that started the session. Local,
   * thread-safe; does not fail.
   */
  Communicator world();

  /** Description of the MPI library of this session. Local, thread-safe; does not fail. */
  MpiInstallation installation();

  /**
   * Finalises the back end. Collective over the world, called once, by {@link #end}.
   *
   * @throws MpiException if the library reports an error
   */
  void finish();

  /**
   * Ends the session. Collective over the world, called once. Ranks that wait for this rank in a
   * {@link CallOrder} of the world get a {@link CallMismatchException}.
   *
   * @throws MpiException if the library reports an error
   */
  default void end() {
    try (CallOrder calls = world().callOrder()) {
      calls.begin(CallOrder.Call.leaving());
    } catch (CallMismatchException _) {
      // The other ranks throw it too; it is not a failure of the rank that ends MPI.
    }
    finish();
  }

  /**
   * Ends the processes of the whole job after a failure of this rank. Local; does not return
   * normally.
   *
   * @param code the exit code of the job
   */
  default void abort(int code) {
    world().abort(code);
  }
}
