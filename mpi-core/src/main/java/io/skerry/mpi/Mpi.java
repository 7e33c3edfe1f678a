package io.skerry.mpi;

import java.util.Map;

/** The MPI session of this process; one per process. */
public final class Mpi implements AutoCloseable {
  private final Communicator world;

  private Mpi(Communicator world) {
    this.world = world;
  }

  /** Under a launcher the real MPI library, else a world of one rank. */
  public static Mpi start() {
    return new Mpi(Communicator.self());
  }

  /** Runs the body on every rank of the world; see the class description for failures. */
  public static int run(MpiBody body) {
    throw new UnsupportedOperationException();
  }

  /** Whether the environment is that of a process started by an MPI launcher. */
  public static boolean underLauncher(Map<String, String> environment) {
    return environment.containsKey("OMPI_COMM_WORLD_SIZE");
  }

  /** All ranks of the job. */
  public Communicator world() {
    return world;
  }

  /** Ends MPI. */
  @Override
  public void close() {}
}
