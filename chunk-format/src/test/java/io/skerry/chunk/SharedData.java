package io.skerry.chunk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Finds test data outside the repository; tests that need missing data are skipped. */
public final class SharedData {
  private SharedData() {}

  /** Returns the file or folder with a name under {@code shared}, or skips the test. */
  public static Path require(String name) {
    Optional<Path> found = root().map(r -> r.resolve(name)).filter(Files::exists);
    Assumptions.assumeTrue(found.isPresent(), "skipped: no shared data, missing " + name);
    return found.orElseThrow();
  }

  private static Optional<Path> root() {
    String told = System.getProperty("skerry.shared");
    if (told != null) {
      return Optional.of(Path.of(told));
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path candidate = at.resolve("shared");
      if (Files.isDirectory(candidate.resolve("data"))) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }
}
