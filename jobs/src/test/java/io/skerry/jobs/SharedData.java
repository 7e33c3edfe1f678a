package io.skerry.jobs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Sample files that are stored next to the checkout, not in it. */
public final class SharedData {
  private SharedData() {}

  /** Returns a file below the data folder. Skips the test if the file does not exist. */
  public static Path file(String name) {
    String told = System.getProperty("skerry.shared");
    Path folder = told == null ? search() : Path.of(told).resolve("data");
    Path file = folder.resolve(name);
    assumeTrue(Files.exists(file), "sample data absent: " + name);
    return file;
  }

  private static Path search() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("shared/data"))) {
        return at.resolve("shared/data");
      }
    }
    return Path.of("shared/data");
  }
}
