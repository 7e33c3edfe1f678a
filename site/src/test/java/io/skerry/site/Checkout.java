package io.skerry.site;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that the tests run in. */
final class Checkout {
  private Checkout() {}

  /** Returns the nearest folder above that holds the launcher. */
  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(folder.resolve("skerry"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("no launcher above " + Path.of("").toAbsolutePath());
      }
      folder = parent;
    }
    return folder;
  }
}
