package io.skerry.jobs;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout in which the tests run. */
final class Repository {
  private Repository() {}

  /** Returns the root folder: the nearest parent folder that contains the script {@code skerry}. */
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
