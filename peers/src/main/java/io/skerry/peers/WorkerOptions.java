package io.skerry.peers;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * The command line of the reads by workers.
 *
 * @param frames of the dataset, 2 MiB each
 * @param runs that count
 * @param folder for the file
 * @param output table or JSON
 */
record WorkerOptions(int frames, int runs, Path folder, Options.Output output) {
  static final String USAGE =
      """
      ./skerry bench workers [--frames 512] [--runs 5] [--dir FOLDER] [--json]
      """;

  /** Of more, Java could not hold all values in one segment that a read fills. */
  private static final int MOST_FRAMES = 4096;

  static WorkerOptions parse(String[] args) {
    int frames = 512;
    int runs = 5;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "skerry-bench-workers");
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
    return new WorkerOptions(frames, runs, folder, output);
  }

  boolean json() {
    return output == Options.Output.JSON;
  }
}
