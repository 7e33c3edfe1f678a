package io.skerry.integration.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.command.Checkout;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The MPI libraries of Debian packages, with each of their implementations of collective I/O. */
public enum InstalledMpi {
  /** Open MPI with its own collective I/O. */
  OMPIO("", "mpirun.openmpi", "Open MPI v", Map.of()),
  /** Open MPI with MPICH's collective I/O. */
  ROMIO("", "mpirun.openmpi", "Open MPI v", Map.of("OMPI_MCA_io", "romio321")),
  /** MPICH. */
  MPICH("", "mpirun.mpich", "MPICH Version:", Map.of()),
  /** Open MPI 5 with its own collective I/O. */
  OMPIO_5("trixie", "mpirun.openmpi", "Open MPI v5.", Map.of()),
  /** Open MPI 5 with MPICH's collective I/O. */
  ROMIO_5("trixie", "mpirun.openmpi", "Open MPI v5.", Map.of("OMPI_MCA_io", "romio341")),
  /** MPICH 4.2. */
  MPICH_4_2("trixie", "mpirun.mpich", "4.2.", Map.of()),
  /** Open MPI 6, before its release. */
  OMPIO_6("forky", "mpirun.openmpi", "Open MPI v6.", Map.of()),
  /** MPICH 5 with its own binary interface. */
  MPICH_5("forky", "mpirun.mpich", "5.0.", Map.of()),
  /** Open MPI 6 with the standard's binary interface. */
  OMPIO_ABI(
      "forky",
      "mpirun.openmpi",
      "Open MPI v6.",
      Map.of("SKERRY_MPI", "libmpi_abi_openmpi.so.1.0.0")),
  /** MPICH 5 with the standard's binary interface. */
  MPICH_ABI("forky", "mpirun.mpich", "5.0.", Map.of("SKERRY_MPI", "libmpi_abi_mpich.so.1.0.0"));

  private static final int CANNOT = 3;
  private static final List<String> RELEASES =
      List.of(System.getProperty("skerry.debian", "").split(","));

  /** One library of each family, and each implementation of collective I/O. */
  private static final Set<InstalledMpi> SAMPLE = Set.of(OMPIO, ROMIO, MPICH);

  private final String release;
  private final String mpirun;
  private final String version;
  private final Map<String, String> environment;

  InstalledMpi(String release, String mpirun, String version, Map<String, String> environment) {
    this.release = release;
    this.mpirun = mpirun;
    this.version = version;
    this.environment = environment;
  }

  /**
   * Returns the libraries of this machine's Debian and of the releases in the system property
   * {@code skerry.debian}, which {@code -Pslow} sets; each of them requires a download.
   */
  public static List<InstalledMpi> tested() {
    return Arrays.stream(values())
        .filter(mpi -> mpi.release.isEmpty() || RELEASES.contains(mpi.release))
        .toList();
  }

  /**
   * Returns whether long tests run on every library. {@code -Pslow} requests this with the system
   * property {@code skerry.every.mpi}.
   */
  public static boolean isEachTested() {
    return Boolean.getBoolean("skerry.every.mpi");
  }

  /** Returns the libraries for long tests: all that are tested, or else one of each family. */
  public static List<InstalledMpi> sample() {
    return tested().stream().filter(mpi -> isEachTested() || SAMPLE.contains(mpi)).toList();
  }

  /**
   * Returns the libraries for tests of what a command does after an error that other tests provoke
   * on each library: all that are tested, or else Open MPI.
   */
  public static List<InstalledMpi> forCommands() {
    return isEachTested() ? tested() : List.of(OMPIO);
  }

  /**
   * Returns whether the implementation of collective I/O receives the hints for a file; Open MPI 5
   * drops those for ROMIO.
   */
  public boolean heedsHints() {
    return this != ROMIO_5;
  }

  /** Returns a part of the version string of the library. */
  public String version() {
    return version;
  }

  /** Returns a launcher for the library; skips the test if it is not installed. */
  public MpirunLauncher require() throws IOException, InterruptedException {
    var found = launcher();
    assumeTrue(found.isPresent(), this + " is not installed");
    return found.get();
  }

  /** Returns a launcher for the library; empty if it is not installed. */
  public Optional<MpirunLauncher> launcher() throws IOException, InterruptedException {
    var found = release.isEmpty() ? MpirunLauncher.find(mpirun) : inRelease();
    return found.map(launcher -> launcher.withEnvironment(environment));
  }

  private Optional<MpirunLauncher> inRelease() throws IOException, InterruptedException {
    var script = Checkout.root() + "/integration-tests/other-debian";
    var made = Checkout.run(Path.of("."), Map.of(), List.of(script, release));
    if (made.code() == CANNOT) {
      System.out.print(made.err());
      return Optional.empty();
    }
    assertEquals(0, made.code(), made.err());
    return MpirunLauncher.startedBy(List.of(script, release, mpirun));
  }
}
