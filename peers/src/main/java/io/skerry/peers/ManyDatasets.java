package io.skerry.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Creates a file with one group of many small datasets, using h5py. */
final class ManyDatasets {
  static final String GROUP = "many";

  private static final String SCRIPT =
      """
      import h5py, sys
      name, count, bound = sys.argv[1], int(sys.argv[2]), sys.argv[3]
      with h5py.File(name, 'w', libver=bound) as file:
          group = file.create_group('many')
          for i in range(count):
              group.create_dataset('dataset%06d' % i, shape=(i % 100 + 1,), dtype='f4')
      """;

  private ManyDatasets() {}

  /**
   * Creates the file.
   *
   * @param bound the {@code libver} argument of h5py: {@code earliest} for a symbol table, {@code
   *     latest} for a fractal heap
   */
  static Path create(Path folder, int count, String bound)
      throws IOException, InterruptedException {
    String python = Optional.ofNullable(System.getenv("SKERRY_PYTHON")).orElse("python3");
    Path file = folder.resolve("many.h5");
    Process process =
        new ProcessBuilder(python, "-c", SCRIPT, file.toString(), String.valueOf(count), bound)
            .inheritIO()
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("h5py could not make the file: python=" + python);
    }
    return file;
  }
}
