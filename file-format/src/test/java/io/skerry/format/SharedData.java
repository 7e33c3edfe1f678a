package io.skerry.format;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The optional folder of sample files next to the repository. */
public final class SharedData {
  private SharedData() {}

  /** Returns a file of the folder; skips the test if the file does not exist. */
  public static Path file(String name) {
    Optional<Path> found = folder().map(f -> f.resolve(name)).filter(Files::exists);
    assumeTrue(found.isPresent(), "no shared data: " + name);
    return found.orElseThrow();
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
