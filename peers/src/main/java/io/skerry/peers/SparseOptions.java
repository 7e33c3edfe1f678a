package io.skerry.peers;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * The command line of the sparse tasks.
 *
 * @param frames in each file
 * @param runs that count
 * @param folder for the files
 * @param output table or JSON
 */
record SparseOptions(int frames, int runs, Path folder, Options.Output output) {
  static final String USAGE =
      """
      ./skerry bench sparse [--frames 256] [--runs 5] [--dir FOLDER] [--json]
      """;

  /** Of more, h5py could not hold all as whole frames. */
  private static final int MOST_FRAMES = 2048;

  static SparseOptions parse(String[] args) {
    int frames = 256;
    int runs = 5;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "skerry-bench-sparse");
    Options.Output output = Options.Output.TABLE;
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      switch (name) {
        case "--json" -> output = Options.Output.JSON;
        case "--frames" -> frames = Options.number(name, rest);
        case "--runs" -> runs = Options.number(name, rest);
        case "--dir" -> folder = Path.of(Options.value(name, rest));
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
    if (frames > MOST_FRAMES) {
      throw new IllegalArgumentException(
          "too many frames: expected=1.." + MOST_FRAMES + " actual=" + frames);
    }
    return new SparseOptions(frames, runs, folder, output);
  }

  boolean json() {
    return output == Options.Output.JSON;
  }
}
