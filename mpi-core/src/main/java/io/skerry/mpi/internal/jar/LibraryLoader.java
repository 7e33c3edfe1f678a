package io.skerry.mpi.internal.jar;

import io.skerry.mpi.internal.launch.NativeProcess;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Loads the classes of one jar, and finds its native library under versioned names too: Debian has
 * {@code libmpi_java.so.40} without the plain name that {@code System.loadLibrary} looks for.
 */
final class LibraryLoader extends URLClassLoader {
  private static final String FOLDERS =
      "/usr/local/lib:/usr/lib64/openmpi/lib:/usr/lib64:/usr/lib:/usr/lib/%s-linux-gnu"
          + ":/usr/lib/%<s-linux-gnu/openmpi/lib:/opt/openmpi/lib";

  private final Map<String, String> environment;

  LibraryLoader(URL jar, Map<String, String> environment) {
    super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    this.environment = environment;
  }

  /** Finds the library and loads it with global symbols; see {@link NativeProcess#load}. */
  @Override
  protected String findLibrary(String name) {
    var file = "lib" + name + ".so";
    var found =
        folders()
            .flatMap(folder -> named(file, folder))
            .findFirst()
            .orElseThrow(() ->
                new UnsatisfiedLinkError(
                    "%s is in none of %s; install Open MPI's libraries, or name their folder with"
                            .formatted(file, folders().toList())
                        + " -Djava.library.path"));
    var loading = NativeProcess.load(found.toString());
    if (loading.library().isEmpty()) {
      throw new UnsatisfiedLinkError(loading.error());
    }
    return found.toString();
  }

  /** Returns the folders to search, in order. */
  private Stream<String> folders() {
    var architecture = System.getProperty("os.arch", "").replace("amd64", "x86_64");
    return Stream.of(
            System.getProperty("java.library.path", ""),
            environment.getOrDefault("LD_LIBRARY_PATH", ""),
            environment.containsKey("OPAL_PREFIX") ? environment.get("OPAL_PREFIX") + "/lib" : "",
            FOLDERS.formatted(architecture))
        .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
        .filter(folder -> !folder.isEmpty())
        .distinct();
  }

  private static Stream<Path> named(String name, String folder) {
    var plain = Path.of(folder, name);
    if (Files.isReadable(plain)) {
      return Stream.of(plain);
    }
    try (var files = Files.newDirectoryStream(Path.of(folder), name + ".*")) {
      for (var file : files) {
        return Stream.of(file);
      }
      return Stream.empty();
    } catch (IOException e) {
      // The folder does not exist or cannot be read.
      return Stream.empty();
    }
  }
}
