package io.skerry.iod.encoding;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The optional folder of sample files next to the repository. */
public final class SharedData {
  private SharedData() {}

  /** Returns a file of the folder; empty if it does not exist. */
  public static Optional<Path> find(String name) {
    return folder().map(folder -> folder.resolve(name)).filter(Files::exists);
  }

  private static Optional<Path> folder() {
    String told = System.getProperty("skerry.shared");
    if (told != null) {
      return Optional.of(Path.of(told).resolve("data"));
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("shared/data"))) {
        return Optional.of(at.resolve("shared/data"));
      }
    }
    return Optional.empty();
  }
}
