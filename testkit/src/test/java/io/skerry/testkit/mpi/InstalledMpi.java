package io.skerry.testkit.mpi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;

/** MPI libraries that Debian packages, each with each of its ways to do collective I/O. */
public enum InstalledMpi {
  /** Open MPI with its own collective I/O. */
  OMPIO("mpirun.openmpi"),
  /** Open MPI with MPICH's collective I/O. */
  ROMIO("mpirun.openmpi"),
  /** MPICH. */
  MPICH("mpirun.mpich");

  private final String mpirun;

  InstalledMpi(String mpirun) {
    this.mpirun = mpirun;
  }

  /** A launcher for it, if it is installed. */
  public Optional<MpirunLauncher> launcher() {
    return MpirunLauncher.find(mpirun)
        .map(found -> this == ROMIO ? found.withEnvironment("OMPI_MCA_io", "romio321") : found);
  }

  /** A launcher for it; the test that asks is skipped if it is not installed. */
  public MpirunLauncher require() {
    var found = launcher();
    assumeTrue(found.isPresent(), this + " is not installed: no " + mpirun);
    return found.get();
  }
}
