package io.skerry.peers;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * The options of a comparison that uses detector frames.
 *
 * @param frames the number of frames in each file
 * @param runs the number of counted runs
 * @param folder the folder for the files
 * @param output the format of the results
 */
record FrameOptions(int frames, int runs, Path folder, Options.Output output) {

  /** A comparison that uses frames, with its name and its default and maximum numbers of frames. */
  enum Task {
    SPARSE("sparse", 256, 2048),
    WORKERS("workers", 512, 4096);

    private final String name;
    private final int usual;
    private final int most;

    Task(String name, int usual, int most) {
      this.name = name;
      this.usual = usual;
      this.most = most;
    }

    String usage() {
      return "./skerry bench %s [--frames %d] [--runs 5] [--dir FOLDER] [--json]%n"
          .formatted(name, usual);
    }
  }

  static FrameOptions parse(Task task, String[] args) {
    int frames = task.usual;
    int runs = 5;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "skerry-bench-" + task.name);
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
    if (frames > task.most) {
      throw new IllegalArgumentException(
          "too many frames: expected=1.." + task.most + " actual=" + frames);
    }
    return new FrameOptions(frames, runs, folder, output);
  }

  boolean json() {
    return output == Options.Output.JSON;
  }
}
