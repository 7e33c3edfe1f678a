package io.skerry.testkit.mpi;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The jar of Open MPI's own bindings that {@code ./skerry test} has made. */
public final class OpenMpiJar {
  /** Why tests are skipped without it. */
  public static final String MISSING =
      "no .skerry/openmpi.jar: run mpi-core/make-openmpi-jar .skerry/openmpi.jar";

  private OpenMpiJar() {}

  /** Looks in the folders above this one. */
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
