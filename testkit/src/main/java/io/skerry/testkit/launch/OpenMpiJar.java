package io.skerry.testkit.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The jar of Open MPI's own Java bindings, which {@code ./skerry test} builds if possible. */
public final class OpenMpiJar {
  /** The message of tests that are skipped because the jar is missing. */
  public static final String MISSING =
      "no .skerry/openmpi.jar: run mpi-core/make-openmpi-jar .skerry/openmpi.jar";

  private OpenMpiJar() {}

  /**
   * Searches for the jar in the working directory and its parents. Returns an empty result if it is
   * not found.
   */
  public static Optional<Path> find() {
    var folder = Optional.of(Path.of("").toAbsolutePath());
    while (folder.isPresent()) {
      var jar = folder.get().resolve(".skerry/openmpi.jar");
      if (Files.isReadable(jar)) {
        return Optional.of(jar);
      }
      folder = Optional.ofNullable(folder.get().getParent());
    }
    return Optional.empty();
  }
}
