package io.skerry.mpi.internal.launch;

import java.util.Map;
import java.util.Optional;

/** Sets the environment variables that an MPI library needs before it is loaded or initialized. */
public final class LibraryEnvironment {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          // UCX would replace the JVM's SIGSEGV handler, and the JVM would then crash at its next
          // implicit null check. If the library is linked to UCX, UCX reads this variable as soon
          // as it is loaded.
          "UCX_ERROR_SIGNALS", "",
          // The InfiniPath library, which libfabric loads, would also replace the SIGSEGV handler.
          "IPATH_NO_BACKTRACE", "1",
          // With data sieving, reads lose data in Open MPI 4.1.4 (Open MPI issue 10546), and writes
          // read, modify and write bytes that belong to other ranks.
          "OMPI_MCA_fbtl_posix_read_datasieving", "0",
          "OMPI_MCA_fbtl_posix_write_datasieving", "0",
          // In Open MPI 4.1.4, the component with vector instructions saturates sums of bytes.
          "OMPI_MCA_op", "^avx");

  /** Values that the user's environment overrides. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          // With all other collective I/O components of Open MPI 4.1 to 6.0, a call
          // reports success if the rank that writes for others fails, for instance on a
          // full disk, and ranks may wait forever in the next call.
          "OMPI_MCA_fcoll", "individual");

  /** The system property that names a library or a jar. */
  public static final String PROPERTY = "skerry.mpi";

  /** The environment variable that names a library or a jar if the property is not set. */
  public static final String VARIABLE = "SKERRY_MPI";

  private LibraryEnvironment() {}

  /**
   * Returns the library or jar that the property or else the variable names; empty if neither is
   * set, or if the name is blank.
   */
  public static Optional<String> named(Map<String, String> environment) {
    return Optional.ofNullable(System.getProperty(PROPERTY))
        .or(() -> Optional.ofNullable(environment.get(VARIABLE)))
        .filter(name -> !name.isBlank());
  }

  /** Sets the variables. The user's environment takes precedence over {@link #DEFAULTS} only. */
  public static void prepare() {
    ENVIRONMENT.forEach(NativeProcess::setEnvironment);
    DEFAULTS.forEach((name, value) -> {
      if (System.getenv(name) == null) {
        NativeProcess.setEnvironment(name, value);
      }
    });
  }

  /** Sets the variable that a world of one rank without a launcher needs. */
  public static void prepareForOneRank() {
    // Otherwise, Open MPI 4 would start the daemon orted, which is needed only to spawn
    // additional processes.
    NativeProcess.setEnvironment("OMPI_MCA_ess_singleton_isolated", "1");
  }
}
