package io.skerry.jobs;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout these tests run in. */
final class Repository {
  private Repository() {}

  /** Its top folder: the nearest one above that holds the launcher. */
  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(folder.resolve("skerry"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException(
            "no launcher in any folder above " + Path.of("").toAbsolutePath());
      }
      folder = parent;
    }
    return folder;
  }
}
