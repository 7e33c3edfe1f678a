package io.skerry.mpi.internal.local;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.MpiSession;

/** The session of a single process, which needs no MPI library. */
public record LocalSession(Communicator world) implements MpiSession {
  /** Creates a session with a world of one rank. */
  public LocalSession() {
    this(LocalWorld.self());
  }

  @Override
  public MpiInstallation installation() {
    return MpiInstallation.ofThreads();
  }

  @Override
  public void finish() {
    // There is nothing to finalize.
  }

  @Override
  public void abort(int code) {
    // The exit of this process ends the job.
  }
}
