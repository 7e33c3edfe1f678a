package io.skerry.mpi.internal.launch;

import java.util.Map;
import java.util.Optional;

/** What must be in the environment before an MPI library is loaded or started. */
public final class LibraryEnvironment {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          // UCX would take SIGSEGV from the JVM, which dies of its next implicit null check. Where
          // the library is linked to it, UCX reads this as soon as it is loaded.
          "UCX_ERROR_SIGNALS", "",
          // So would the library of InfiniPath, which libfabric brings along.
          "IPATH_NO_BACKTRACE", "1",
          // Sieved reads lose data in Open MPI 4.1.4 (issue 10546 there); sieved writes read,
          // modify and write bytes that belong to other ranks.
          "OMPI_MCA_fbtl_posix_read_datasieving", "0",
          "OMPI_MCA_fbtl_posix_write_datasieving", "0",
          // Sums of bytes saturate in Open MPI 4.1.4's vector unit component instead of wrapping.
          "OMPI_MCA_op", "^avx");

  /** What a user may have chosen to be otherwise. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          // All other components of Open MPI 4.1 to 6.0 for collective I/O say that a write has
          // succeeded when the rank that does it for others could not, for instance on a full disk,
          // and may wait for ever in the next call. What they gain is gained already: each rank
          // writes what it owns, side by side.
          "OMPI_MCA_fcoll", "individual");

  /** The system property that names a library or a jar. */
  public static final String PROPERTY = "skerry.mpi";

  /** The environment variable that does so where the property does not. */
  public static final String VARIABLE = "SKERRY_MPI";

  private LibraryEnvironment() {}

  /** What the property, or else the variable, names; nothing if that is blank. */
  public static Optional<String> named(Map<String, String> environment) {
    return Optional.ofNullable(System.getProperty(PROPERTY))
        .or(() -> Optional.ofNullable(environment.get(VARIABLE)))
        .filter(name -> !name.isBlank());
  }

  /** Sets it, whatever was there, but for what a user may choose. */
  public static void prepare() {
    ENVIRONMENT.forEach(NativeProcess::setEnvironment);
    DEFAULTS.forEach((name, value) -> {
      if (System.getenv(name) == null) {
        NativeProcess.setEnvironment(name, value);
      }
    });
  }

  /** Sets what a world of one rank needs that no launcher has started. */
  public static void prepareForOneRank() {
    // Open MPI 4 would start a daemon, orted, to be one rank of a job that could grow.
    NativeProcess.setEnvironment("OMPI_MCA_ess_singleton_isolated", "1");
  }
}
