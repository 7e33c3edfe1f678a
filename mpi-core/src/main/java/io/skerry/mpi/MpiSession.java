package io.skerry.mpi;

/**
 * A running back end. There is one per process, or one per rank if several ranks share a process.
 * Its implementations are in this module; programs use {@link Mpi} instead.
 */
public interface MpiSession {
  /**
   * Returns the communicator of all ranks of the job, for use by the thread that started the
   * session. Local, thread-safe; does not fail.
   */
  Communicator world();

  /**
   * Returns a description of the MPI library of this session. Local, thread-safe.
   *
   * @throws MpiException if the library does not report its version
   */
  MpiInstallation installation();

  /**
   * Finalizes the back end. Collective over the world; called only once, normally by {@link #end}.
   * From then on, communicators that use an MPI library count as closed.
   *
   * @throws MpiException if the library reports an error, or if the communication between the ranks
   *     fails
   * @throws IllegalStateException if an MPI library is in use and the calling thread did not start
   *     the session, or the session has already ended
   */
  void finish();

  /**
   * Ends the session. Collective over the world; must be called only once. A rank that is waiting
   * for this rank in a {@link CallOrder} of the world throws a {@link CallMismatchException}.
   *
   * @throws MpiException if the library reports an error, or if the communication between the ranks
   *     fails
   * @throws IllegalStateException if an MPI library is in use and the calling thread did not start
   *     the session, or the session has already ended; without an MPI library, a second call does
   *     nothing
   * @throws IllegalArgumentException if the system property {@code skerry.patience} has changed
   *     since the start and is not a whole number of seconds from 0 to 2<sup>63</sup>-1
   */
  default void end() {
    try (CallOrder calls = world().callOrder()) {
      calls.begin(CallOrder.Call.leaving());
    } catch (CallMismatchException _) {
      // The other ranks throw this exception too. It is not a failure of the rank that ends MPI.
    }
    finish();
  }

  /**
   * Ends the processes of the whole job after a failure of this rank. Local. In a job of several
   * ranks, the call does not return normally. If this process is the whole job and uses no MPI
   * library, the call may do nothing; the caller must then end the process.
   *
   * @param code the exit code of the job
   * @throws MpiException of class {@link MpiErrorClass#ABORTED} if the back end could not end this
   *     process
   * @throws IllegalStateException if the calling thread did not start the session, or the session
   *     has ended, and the MPI library is in use
   */
  default void abort(int code) {
    world().abort(code);
  }
}
