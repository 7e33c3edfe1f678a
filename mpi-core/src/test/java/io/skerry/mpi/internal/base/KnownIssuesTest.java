package io.skerry.mpi.internal.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownIssuesTest {
  private static final String OPEN_MPI = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4";

  private static List<String> warnings(
      String family, String version, Map<String, String> environment) {
    return KnownIssues.of(family, version, environment);
  }

  @Test
  void tested_libraries_have_no_warnings() {
    assertEquals(List.of(), warnings("Open MPI", OPEN_MPI, Map.of()));
    assertEquals(List.of(), warnings("Open MPI", OPEN_MPI, Map.of("OMPI_MCA_op", "^avx")));
    assertEquals(List.of(), warnings("MPICH", "MPICH Version: 4.0.2", Map.of()));
    assertEquals(List.of(), warnings("MPICH", "MPICH Version: 4.3.2", Map.of()));
  }

  @Test
  void settings_that_lose_data_are_reported_with_the_overriding_value() {
    var found =
        warnings(
            "Open MPI",
            OPEN_MPI,
            Map.of("OMPI_MCA_fbtl_posix_read_datasieving", "1", "OMPI_MCA_op", "x86"));
    assertEquals(2, found.size(), found.toString());
    assertTrue(found.get(0).startsWith("OMPI_MCA_fbtl_posix_read_datasieving=1 is overruled"));
    assertTrue(found.get(1).startsWith("OMPI_MCA_op=x86 is overruled"));
  }

  @Test
  void settings_that_hide_failed_writes_are_reported() {
    var gathering = warnings("Open MPI", OPEN_MPI, Map.of("OMPI_MCA_fcoll", "vulcan"));
    assertEquals(1, gathering.size(), gathering.toString());
    assertTrue(gathering.getFirst().startsWith("OMPI_MCA_fcoll=vulcan hides failures of writes"));
    assertEquals(0, warnings("Open MPI", OPEN_MPI, Map.of("OMPI_MCA_fcoll", "individual")).size());
    var deaf = warnings("Open MPI", OPEN_MPI, Map.of("OMPI_MCA_io", "romio341"));
    assertEquals(1, deaf.size(), deaf.toString());
    assertTrue(deaf.getFirst().startsWith("OMPI_MCA_io=romio341 gets no hints"));
  }

  @Test
  void libraries_that_are_too_old_are_reported() {
    assertEquals(1, warnings("Open MPI", "Open MPI v3.1.6, package", Map.of()).size());
    assertEquals(1, warnings("MPICH", "MPICH Version: 3.2.1", Map.of()).size());
    assertEquals(0, warnings("MPICH", "MPICH Version: 3.4.2", Map.of()).size());
  }

  @Test
  void untested_libraries_are_reported() {
    for (var version :
        List.of("Intel(R) MPI Library 2021.12", "MVAPICH Version: 3.0", "CRAY MPICH version 8")) {
      var found = warnings("MPICH", version, Map.of());
      assertEquals(1, found.size(), version);
      assertTrue(found.getFirst().contains("not run by Skerry's developers"), version);
    }
  }
}
