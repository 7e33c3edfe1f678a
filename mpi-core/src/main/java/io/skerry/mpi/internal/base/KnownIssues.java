package io.skerry.mpi.internal.base;

import io.skerry.mpi.internal.ffm.Abi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Warnings about MPI libraries and settings that failed in tests of Skerry or according to
 * published reports, or that have not been tested with Skerry.
 */
public final class KnownIssues {
  private static final List<String> SIEVING =
      List.of("OMPI_MCA_fbtl_posix_read_datasieving", "OMPI_MCA_fbtl_posix_write_datasieving");

  private KnownIssues() {}

  /**
   * Returns a warning for each known problem of a library and its settings, with its remedy.
   *
   * @param family the family of the library, as named by its {@link Abi}
   * @param version the version text of the library
   * @param environment the environment with which the process was started
   */
  public static List<String> of(String family, String version, Map<String, String> environment) {
    var warnings = new ArrayList<String>();
    if (family.equals("Open MPI")) {
      openMpi(version, environment, warnings);
    }
    if (version.contains("MPICH Version") && version.matches(".*Version: 3\\.[0-2](\\D.*)?")) {
      warnings.add(
          "MPICH before 3.3 mishandles some file datatypes; use 4.0 or later: version=" + version);
    }
    if (version.contains("Intel(R) MPI") || version.matches("(?i).*(cray|mvapich).*")) {
      warnings.add(
          "this library has MPICH's binary interface, but was not run by Skerry's developers; run"
              + " the conformance suites first: version="
              + version);
    }
    return warnings;
  }

  private static void openMpi(
      String version, Map<String, String> environment, List<String> warnings) {
    if (version.matches(".*v[1-3]\\..*")) {
      warnings.add("Open MPI before 4 is too old; use 4.1 or 5: version=" + version);
    }
    for (var name : SIEVING) {
      var value = environment.getOrDefault(name, "0");
      if (!value.equals("0")) {
        warnings.add(
            "%s=%s is overruled by 0: data sieving loses bytes in Open MPI 4.1; unset it"
                .formatted(name, value));
      }
    }
    if (!environment.getOrDefault("OMPI_MCA_op", "^avx").contains("avx")) {
      warnings.add(
          "OMPI_MCA_op=%s is overruled by ^avx, whose sums of bytes saturate; unset it"
              .formatted(environment.get("OMPI_MCA_op")));
    }
    var gathering = environment.getOrDefault("OMPI_MCA_fcoll", "individual");
    if (!gathering.equals("individual")) {
      warnings.add(
          "OMPI_MCA_fcoll=%s hides failures of writes, such as a full disk; unset it"
              .formatted(gathering));
    }
    if (environment.getOrDefault("OMPI_MCA_io", "").startsWith("romio341")) {
      warnings.add(
          "OMPI_MCA_io=%s gets no hints from Open MPI 5: where a rank cannot write for others, the"
                  .formatted(environment.get("OMPI_MCA_io"))
              + " job ends after skerry.patience seconds; use ompio");
    }
    if (environment.getOrDefault("OMPI_MCA_io", "").startsWith("romio314")) {
      warnings.add("OMPI_MCA_io=romio314 is too old for large views; use ompio or romio321");
    }
  }
}
