package io.skerry.integration;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Sample files that lie in {@code shared/data} beside the checkout, not in it. {@code
 * -Dskerry.shared=FOLDER} names another {@code shared}.
 */
public final class SharedData {
  private SharedData() {}

  /** A file or folder in it; the test is skipped where it is absent. */
  public static Path require(String name) {
    Optional<Path> found = find(name);
    assumeTrue(found.isPresent(), "skipped: sample data absent: " + name);
    return found.orElseThrow();
  }

  /** A file or folder in it, where there is one. */
  public static Optional<Path> find(String name) {
    return shared().map(shared -> shared.resolve("data").resolve(name)).filter(Files::exists);
  }

  private static Optional<Path> shared() {
    String told = System.getProperty("skerry.shared");
    if (told != null) {
      return Optional.of(Path.of(told));
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("shared/data"))) {
        return Optional.of(at.resolve("shared"));
      }
    }
    return Optional.empty();
  }
}
