package io.skerry.peers;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command line of the small reads.
 *
 * @param runs that count
 * @param millis that a run lasts
 * @param threads that read at once, beside one that reads alone
 * @param folder for the file
 * @param output table or JSON
 * @param only tasks whose name has this in it
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

  /** The file that is read. */
  Path path() {
    return folder.resolve("small.h5");
  }

  boolean json() {
    return output == Options.Output.JSON;
  }
}
