package io.skerry.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the start-up time of ranks: the detector job on a single small frame, the same job
 * without its AOT archive, and {@link BareMpi}, which only starts and ends MPI. Each is timed from
 * the start of the command to its end. The three alternate, so that other load on the machine
 * affects all of them; the first round is not counted.
 *
 * <pre>
 * ./skerry bench startup [RUNS] [RANKS...]
 * </pre>
 */
public final class StartUp {
  private static final String USAGE = "usage: ./skerry bench startup [RUNS] [RANKS...]";

  private final String skerry;
  private final Path out;
  private final int runs;

  private StartUp(String skerry, Path out, int runs) {
    this.skerry = skerry;
    this.out = out;
    this.runs = runs;
  }

  /**
   * Prints one line for each number of ranks.
   *
   * @param args the number of runs, by default 7, and the numbers of ranks, by default 1, 2 and 8
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (!Arrays.stream(args).allMatch(arg -> arg.matches("[1-9][0-9]{0,3}"))) {
      System.err.println(USAGE);
      System.exit(2);
    }
    List<Integer> numbers = Arrays.stream(args).map(Integer::valueOf).toList();
    int runs = numbers.isEmpty() ? 7 : numbers.getFirst();
    List<Integer> ranks =
        numbers.size() < 2 ? List.of(1, 2, 8) : numbers.subList(1, numbers.size());
    String launcher = Optional.ofNullable(System.getenv("SKERRY")).orElse("./skerry");
    Path folder = Files.createTempDirectory("skerry-bench");
    try {
      StartUp bench = new StartUp(launcher, folder.resolve("job.h5"), runs);
      for (int each : ranks) {
        bench.compare(each);
      }
    } finally {
      Files.deleteIfExists(folder.resolve("job.h5"));
      Files.delete(folder);
    }
  }

  private void compare(int ranks) throws IOException, InterruptedException {
    double[] bare = new double[runs];
    double[] job = new double[runs];
    double[] unshared = new double[runs];
    for (int run = -1; run < runs; run++) {
      double[] took = {
        seconds(bare(ranks), Map.of()),
        seconds(job(ranks), Map.of()),
        seconds(job(ranks), Map.of("SKERRY_NO_ARCHIVE", "1"))
      };
      if (run >= 0) {
        bare[run] = took[0];
        job[run] = took[1];
        unshared[run] = took[2];
      }
    }
    print(
        "ranks=%d runs=%d bare MPI: %s  job: %s  job without archive: %s  job / bare = %.2f"
            + " (without archive %.2f)",
        ranks,
        runs,
        text(bare),
        text(job),
        text(unshared),
        median(job) / median(bare),
        median(unshared) / median(bare));
  }

  private List<String> bare(int ranks) {
    List<String> command = mpirun(ranks);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            BareMpi.class.getName()));
    return command;
  }

  /** Returns the command of the job; a single rank is also started by mpirun, for comparison. */
  private List<String> job(int ranks) {
    List<String> command = ranks == 1 ? mpirun(1) : new ArrayList<>();
    command.addAll(
        List.of(
            skerry, "lcls", "--synthetic", "1x64x64", "--no-progress", "--out", out.toString()));
    if (ranks > 1) {
      command.addAll(List.of("--ranks", String.valueOf(ranks)));
    }
    return command;
  }

  /** Returns the mpirun command with the options that {@code ./skerry} passes to it. */
  private static List<String> mpirun(int ranks) {
    List<String> command = new ArrayList<>(List.of("mpirun", "-n", String.valueOf(ranks)));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--allow-run-as-root");
    }
    command.addAll(List.of("--oversubscribe", "--bind-to", "none", "--quiet", "env"));
    return command;
  }

  private double seconds(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putIfAbsent("OMPI_MCA_mpi_yield_when_idle", "1");
    builder.environment().putAll(environment);
    long start = System.nanoTime();
    int code = builder.start().waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    Files.deleteIfExists(out);
    if (code != 0) {
      throw new IOException("a run failed: code=" + code + " command=" + command);
    }
    return seconds;
  }

  private static String text(double[] seconds) {
    double[] sorted = seconds.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT, "%.2f s (%.2f to %.2f)", median(sorted), sorted[0], sorted[sorted.length - 1]);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
