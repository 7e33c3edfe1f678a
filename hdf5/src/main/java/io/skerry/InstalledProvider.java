package io.skerry;

import java.util.ServiceLoader;

/** Loads the {@link FileProvider} service once. */
final class InstalledProvider {
  private static final FileProvider PROVIDER =
      ServiceLoader.load(FileProvider.class, FileProvider.class.getClassLoader())
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException("no service " + FileProvider.class.getName()));

  private InstalledProvider() {}

  static FileProvider get() {
    return PROVIDER;
  }
}
