package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.internal.launch.Launcher;
import io.skerry.mpi.internal.launch.LibraryEnvironment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The search for the MPI library. The candidates are, in this order:
 *
 * <ol>
 *   <li>the library named by the system property {@code skerry.mpi}, or else by the environment
 *       variable {@code SKERRY_MPI}; if that name is set and not blank, there are no other
 *       candidates;
 *   <li>the library in the installation of a launcher that is an ancestor of this process, for
 *       example {@code PREFIX/lib/libmpi.so} for {@code PREFIX/bin/mpirun}: a cluster may have
 *       several MPI libraries, and the right one belongs to the launcher in use;
 *   <li>for each family of libraries, beginning with the launcher's family: the libraries below an
 *       installation root that an environment variable names, such as {@code I_MPI_ROOT}, then the
 *       usual library names, which the dynamic linker resolves.
 * </ol>
 *
 * @param environment the environment of the process
 * @param named the value of the system property; empty if the property is not set
 * @param ancestors the programs of the ancestors of this process, nearest first
 */
record LibrarySearch(
    Map<String, String> environment, Optional<String> named, List<Path> ancestors) {
  static final String VARIABLE = LibraryEnvironment.VARIABLE;

  /** Library names of Open MPI 4 and 5. */
  private static final List<String> OPEN_MPI = List.of("libmpi.so.40");

  /**
   * Library names of MPICH and its family: the name of the common ABI, and the name that Debian
   * uses.
   */
  private static final List<String> MPICH = List.of("libmpi.so.12", "libmpich.so.12");

  /** Names of libraries that have the standard ABI, regardless of their family. */
  private static final List<String> STANDARD =
      List.of("libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so");

  private static final List<String> UNVERSIONED = List.of("libmpi.so");

  private static final Set<String> OPEN_MPI_LAUNCHERS =
      Set.of("orterun", "orted", "prterun", "prte", "prted", "mpirun", "mpiexec");
  private static final Set<String> MPICH_LAUNCHERS =
      Set.of("hydra_pmi_proxy", "hydra_bstrap_proxy", "mpiexec.hydra", "mpiexec.gforker");

  /**
   * An environment variable that names the root of an installation, and the library folders below
   * that root.
   */
  private record Root(String variable, List<String> folders) {}

  private static final List<Root> ROOTS =
      List.of(
          new Root(
              "I_MPI_ROOT", List.of("lib/release", "lib", "intel64/lib/release", "intel64/lib")),
          new Root("OPAL_PREFIX", List.of("lib", "lib64")),
          new Root("MPICH_DIR", List.of("lib-abi-mpich", "lib", "lib64")),
          new Root("MPI_HOME", List.of("lib", "lib64")));

  LibrarySearch {
    environment = Map.copyOf(environment);
    ancestors = List.copyOf(ancestors);
  }

  /** Returns the search for the library of this process. */
  static LibrarySearch ofThisProcess() {
    return new LibrarySearch(
        System.getenv(),
        Optional.ofNullable(System.getProperty(LibraryEnvironment.PROPERTY)),
        ancestorsOfThis());
  }

  private static List<Path> ancestorsOfThis() {
    var programs = new ArrayList<Path>();
    var process = ProcessHandle.current().parent();
    while (process.isPresent() && programs.size() < 16) {
      process.get().info().command().map(Path::of).ifPresent(programs::add);
      process = process.get().parent();
    }
    return programs;
  }

  /**
   * Returns the candidates, best first: paths of existing files, and names for the dynamic linker.
   * A library that the user named is returned unchecked.
   */
  List<String> candidates() {
    var choice = named.or(() -> Optional.ofNullable(environment.get(VARIABLE)));
    if (choice.isPresent() && !choice.get().isBlank()) {
      return List.of(choice.get());
    }
    var candidates = new LinkedHashSet<String>();
    ancestors.forEach(program -> addBeside(program, candidates));
    // The families are searched one after the other: a library of the wrong family below an
    // installation root must not precede the linker name of the right family.
    for (var family : families()) {
      for (var root : ROOTS) {
        Optional.ofNullable(environment.get(root.variable()))
            .ifPresent(path -> addBelow(Path.of(path), root.folders(), family, candidates));
      }
      candidates.addAll(family);
    }
    return List.copyOf(candidates);
  }

  /** Returns the usual library names of each family, those of the launcher's family first. */
  private List<List<String>> families() {
    var kind = Launcher.of(environment).map(Launcher::kind);
    return kind.equals(Optional.of(Launcher.Kind.PMI))
        ? List.of(MPICH, STANDARD, OPEN_MPI, UNVERSIONED)
        : List.of(OPEN_MPI, STANDARD, MPICH, UNVERSIONED);
  }

  private static void addBeside(Path program, Set<String> candidates) {
    var name = program.getFileName();
    var folder = program.getParent();
    if (name == null || folder == null || folder.getParent() == null) {
      return;
    }
    boolean mpich = MPICH_LAUNCHERS.contains(name.toString());
    if (!mpich && !OPEN_MPI_LAUNCHERS.contains(name.toString())) {
      return;
    }
    var wanted = new ArrayList<>(mpich ? MPICH : OPEN_MPI);
    wanted.addAll(STANDARD);
    wanted.addAll(UNVERSIONED);
    addBelow(folder.getParent(), List.of("lib", "lib64"), wanted, candidates);
  }

  private static void addBelow(
      Path root, List<String> folders, List<String> names, Set<String> candidates) {
    for (var folder : folders) {
      for (var name : names) {
        var file = root.resolve(folder).resolve(name);
        if (Files.exists(file)) {
          candidates.add(file.toString());
        }
      }
    }
  }
}
