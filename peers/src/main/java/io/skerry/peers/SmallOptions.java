package io.skerry.peers;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The options of {@code ./skerry bench small}.
 *
 * @param runs the number of counted runs
 * @param millis the duration of a run in milliseconds
 * @param threads the number of threads that read concurrently; reads on one thread are always
 *     measured
 * @param folder the folder for the file
 * @param output the format of the results
 * @param only a pattern that must occur in the names of the tasks to run
 */
record SmallOptions(
    int runs, int millis, int threads, Path folder, Options.Output output, Pattern only) {
  static final String USAGE =
      """
      ./skerry bench small [--runs 5] [--millis 150] [--threads 2] [--dir FOLDER] [--json]
                           [--only PATTERN]
      """;

  static SmallOptions parse(String[] args) {
    int runs = 5;
    int millis = 150;
    int threads = 2;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "skerry-bench-small");
    Options.Output output = Options.Output.TABLE;
    Pattern only = Pattern.compile("");
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      switch (name) {
        case "--json" -> output = Options.Output.JSON;
        case "--runs" -> runs = Options.number(name, rest);
        case "--millis" -> millis = Options.number(name, rest);
        case "--threads" -> threads = Options.number(name, rest);
        case "--dir" -> folder = Path.of(Options.value(name, rest));
        case "--only" -> only = Pattern.compile(Options.value(name, rest));
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
    return new SmallOptions(runs, millis, threads, folder, output, only);
  }

  /** Returns the path of the file that is read. */
  Path path() {
    return folder.resolve("small.h5");
  }

  boolean json() {
    return output == Options.Output.JSON;
  }
}
