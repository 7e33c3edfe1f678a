package io.skerry.mpi.internal.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibrarySearchTest {
  private static final Map<String, String> UNDER_OPEN_MPI = Map.of("OMPI_COMM_WORLD_SIZE", "2");
  private static final Map<String, String> UNDER_HYDRA = Map.of("PMI_RANK", "0");

  @TempDir private Path folder;

  private static List<String> candidates(Map<String, String> environment, Path... ancestors) {
    return new LibrarySearch(environment, Optional.empty(), List.of(ancestors)).candidates();
  }

  private String file(String name) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    return file.toString();
  }

  @Test
  void an_explicitly_named_library_is_the_only_candidate() {
    var environment = Map.of("SKERRY_MPI", "libmy.so", "PMI_RANK", "0");
    assertEquals(List.of("libmy.so"), candidates(environment));
    var search = new LibrarySearch(environment, Optional.of("/a/libmpi.so"), List.of());
    assertEquals(List.of("/a/libmpi.so"), search.candidates());
  }

  @Test
  void a_blank_name_is_ignored() {
    assertEquals("libmpi.so.40", candidates(Map.of("SKERRY_MPI", "")).getFirst());
  }

  @Test
  void names_of_the_launchers_family_come_first() {
    assertEquals("libmpi.so.40", candidates(UNDER_OPEN_MPI).getFirst());
    var names = candidates(UNDER_HYDRA);
    assertEquals(List.of("libmpi.so.12", "libmpich.so.12"), names.subList(0, 2));
    assertTrue(names.contains("libmpi_abi.so.0"), names.toString());
  }

  @Test
  void the_library_of_the_launchers_installation_comes_before_all_names() throws IOException {
    var library = file("ompi5/lib/libmpi.so.40");
    var shell = Path.of("/usr/bin/bash");
    var launcher = folder.resolve("ompi5/bin/prted");
    assertEquals(library, candidates(UNDER_OPEN_MPI, shell, launcher).getFirst());
  }

  @Test
  void an_open_mpi_library_next_to_hydra_is_ignored() throws IOException {
    file("both/lib/libmpi.so.40");
    var library = file("both/lib/libmpi.so.12");
    var launcher = folder.resolve("both/bin/hydra_pmi_proxy");
    assertEquals(library, candidates(UNDER_HYDRA, launcher).getFirst());
  }

  @Test
  void a_root_of_another_family_does_not_precede_the_launchers_family() throws IOException {
    var intel = file("intel/lib/libmpi.so.12");
    var root = folder.resolve("intel").toString();
    var names = candidates(Map.of("OMPI_COMM_WORLD_SIZE", "2", "I_MPI_ROOT", root));
    assertEquals("libmpi.so.40", names.getFirst());
    assertTrue(names.contains(intel), names.toString());
    assertEquals(intel, candidates(Map.of("PMI_RANK", "0", "I_MPI_ROOT", root)).getFirst());
  }

  @Test
  void missing_files_are_no_candidates() {
    var names = candidates(Map.of("PMI_RANK", "0", "MPI_HOME", folder.toString()));
    assertEquals(List.of(), names.stream().filter(name -> name.startsWith("/")).toList());
  }
}
