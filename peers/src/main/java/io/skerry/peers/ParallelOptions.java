package io.skerry.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The options of {@code ./skerry bench parallel}.
 *
 * @param mib the size of the dataset in MiB; a multiple of each number of ranks
 * @param ranks the numbers of ranks to compare
 * @param rounds the number of {@code mpirun} jobs that each library runs for a task
 * @param warmup the number of uncounted runs of each job, at least 1
 * @param runs the number of counted runs of each job
 * @param folder the folder for the files
 * @param output the format of the results
 * @param only a pattern that must occur in the names of the tasks to run
 */
record ParallelOptions(
    int mib,
    List<Integer> ranks,
    int rounds,
    int warmup,
    int runs,
    Path folder,
    Options.Output output,
    Pattern only) {
  static final String USAGE =
      """
      ./skerry bench parallel [--mib 256] [--ranks 1,2] [--rounds 3] [--warmup 20] [--runs 10]
                              [--dir FOLDER] [--json] [--only PATTERN]
      """;

  /**
   * The default folder, which is in memory, because disk time would dominate the results and make
   * them vary more.
   */
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  static ParallelOptions parse(String[] args) {
    int mib = 256;
    List<Integer> ranks = List.of(1, 2);
    int rounds = 3;
    int warmup = 20;
    int runs = 10;
    Path memory =
        Files.isWritable(SHARED_MEMORY)
            ? SHARED_MEMORY
            : Path.of(System.getProperty("java.io.tmpdir"));
    Path folder = memory.resolve("skerry-bench-parallel");
    Options.Output output = Options.Output.TABLE;
    Pattern only = Pattern.compile("");
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      switch (name) {
        case "--json" -> output = Options.Output.JSON;
        case "--mib" -> mib = Options.number(name, rest);
        case "--ranks" -> ranks = numbers(Options.value(name, rest));
        case "--rounds" -> rounds = Options.number(name, rest);
        case "--warmup" -> warmup = Options.number(name, rest);
        case "--runs" -> runs = Options.number(name, rest);
        case "--dir" -> folder = Path.of(Options.value(name, rest));
        case "--only" -> only = Pattern.compile(Options.value(name, rest));
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
    for (int each : ranks) {
      if (mib % each != 0) {
        throw new IllegalArgumentException("not a multiple of the ranks: --mib=" + mib);
      }
    }
    return new ParallelOptions(mib, ranks, rounds, warmup, runs, folder, output, only);
  }

  private static List<Integer> numbers(String text) {
    if (!text.matches("[1-9][0-9]{0,3}(,[1-9][0-9]{0,3})*")) {
      throw new IllegalArgumentException("not a list of numbers of ranks: --ranks=" + text);
    }
    return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
  }

  boolean json() {
    return output == Options.Output.JSON;
  }
}
