package io.skerry.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Times {@code ./skerry lcls} as a user waits for it, at one rank and at two: from the start of the
 * process to its end. Runs alternate between the two, so that whatever else the machine does falls
 * on both; the first of each is not counted.
 *
 * <pre>
 * ./skerry bench job [RUNS] [arguments of skerry lcls]
 * </pre>
 */
public final class WholeProcess {
  private static final List<Integer> RANKS = List.of(1, 2);

  private final String skerry;
  private final Path out;
  private final List<String> arguments;

  private WholeProcess(String skerry, Path out, List<String> arguments) {
    this.skerry = skerry;
    this.out = out;
    this.arguments = arguments;
  }

  /**
   * Runs, then prints a line per number of ranks and the ratio of the medians.
   *
   * @param args how often, 5 times if that is left out; then the arguments of the job
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean counted = args.length > 0 && args[0].matches("[1-9][0-9]{0,3}");
    int runs = counted ? Integer.parseInt(args[0]) : 5;
    List<String> arguments = List.of(args).subList(counted ? 1 : 0, args.length);
    String launcher = Optional.ofNullable(System.getenv("SKERRY")).orElse("./skerry");
    Path folder = Files.createTempDirectory("skerry-bench");
    Path out = folder.resolve("job.h5");
    try {
      new WholeProcess(launcher, out, arguments).compare(runs);
    } finally {
      Files.deleteIfExists(out);
      Files.delete(folder);
    }
  }

  private void compare(int runs) throws IOException, InterruptedException {
    double[][] seconds = new double[RANKS.size()][runs];
    for (int run = -1; run < runs; run++) {
      for (int i = 0; i < RANKS.size(); i++) {
        double took = run(RANKS.get(i));
        if (run >= 0) {
          seconds[i][run] = took;
        }
      }
    }
    for (int i = 0; i < RANKS.size(); i++) {
      Arrays.sort(seconds[i]);
      print(
          "ranks=%d runs=%d median=%.2f s least=%.2f s most=%.2f s",
          RANKS.get(i), runs, median(seconds[i]), seconds[i][0], seconds[i][runs - 1]);
    }
    print(
        "median of 1 rank / median of 2 ranks = %.2f (processors: %d)",
        median(seconds[0]) / median(seconds[1]), Runtime.getRuntime().availableProcessors());
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private double run(int ranks) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(skerry, "lcls"));
    command.addAll(arguments);
    command.addAll(List.of("--ranks", String.valueOf(ranks), "--out", out.toString(), "--json"));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes()).strip();
    int code = process.waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    Files.deleteIfExists(out);
    if (code != 0) {
      throw new IOException("the job failed: code=" + code + " command=" + command);
    }
    print("%6.2f s %s", seconds, printed);
    return seconds;
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
