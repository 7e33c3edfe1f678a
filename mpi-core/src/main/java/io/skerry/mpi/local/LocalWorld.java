package io.skerry.mpi.local;

import io.skerry.mpi.Communicator;

/** What the ranks of one JVM share. */
public final class LocalWorld {
  private LocalWorld() {}

  /** A world of one rank, for the calling thread. */
  public static Communicator self() {
    throw new UnsupportedOperationException();
  }
}
