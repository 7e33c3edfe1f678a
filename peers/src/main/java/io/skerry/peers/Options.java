package io.skerry.peers;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of {@code ./skerry bench files}.
 *
 * @param rows the number of rows in the dataset; each row has 64 KiB
 * @param datasets the number of datasets in the group that is listed
 * @param runs the number of counted runs
 * @param folder the folder for the files
 * @param output the format of the results
 * @param only a pattern that must occur in the names of the tasks to run
 */
record Options(int rows, int datasets, int runs, Path folder, Output output, Pattern only) {
  static final String USAGE =
      """
      ./skerry bench files [--size 1GiB] [--datasets 100000] [--runs 5] [--dir FOLDER] [--json]
                           [--only PATTERN]
      """;

  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,6})(MiB|GiB)");
  private static final long ROW = 4L * Material.COLUMNS;

  /** The format of the results. */
  enum Output {
    TABLE,
    JSON
  }

  static Options parse(String[] args) {
    long size = 1L << 30;
    int datasets = 100_000;
    int runs = 5;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "skerry-bench-files");
    Output output = Output.TABLE;
    Pattern only = Pattern.compile("");
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      switch (name) {
        case "--json" -> output = Output.JSON;
        case "--size" -> size = size(value(name, rest));
        case "--datasets" -> datasets = number(name, rest);
        case "--runs" -> runs = number(name, rest);
        case "--dir" -> folder = Path.of(value(name, rest));
        case "--only" -> only = Pattern.compile(value(name, rest));
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
    return new Options(Math.toIntExact(size / ROW), datasets, runs, folder, output, only);
  }

  static int number(String name, Iterator<String> rest) {
    String text = value(name, rest);
    if (!text.matches("[1-9][0-9]{0,7}")) {
      throw new IllegalArgumentException("not a positive number: " + name + "=" + text);
    }
    return Integer.parseInt(text);
  }

  static String value(String name, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException("an option without its value: " + name);
    }
    return rest.next();
  }

  private static long size(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw new IllegalArgumentException("not a size such as 512MiB or 1GiB: size=" + text);
    }
    long bytes = Long.parseLong(size.group(1)) << (size.group(2).equals("GiB") ? 30 : 20);
    if (bytes % (ROW * Layout.CHUNK_ROWS) != 0 || bytes >= 1L << 31) {
      throw new IllegalArgumentException(
          "the size must be a multiple of 16 MiB below 2 GiB: size=" + text);
    }
    return bytes;
  }

  boolean chosen(String task) {
    return only.matcher(task).find();
  }

  boolean json() {
    return output == Output.JSON;
  }
}
