package io.skerry.mpi.internal.local;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.MpiSession;

/** A process of its own, which needs no library. */
public record LocalSession(Communicator world) implements MpiSession {
  /** A world of one rank. */
  public LocalSession() {
    this(LocalWorld.self());
  }

  @Override
  public MpiInstallation installation() {
    return MpiInstallation.ofThreads();
  }

  @Override
  public void finish() {
    // Nothing was started.
  }

  @Override
  public void abort(int code) {
    // The exit of this process is the end of the job.
  }
}
