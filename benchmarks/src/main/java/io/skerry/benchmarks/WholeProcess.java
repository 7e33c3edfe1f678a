package io.skerry.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures {@code ./skerry lcls} on one rank and on two, from the start of the process to its end.
 * Runs on one and two ranks alternate, so that other load on the machine affects both; the first
 * run of each is not counted. The numbers of frames and of bytes of kept values per second refer to
 * the time that the slowest rank spends on writing, excluding the start of the process and the
 * selection of pixels.
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
   * Runs the job and prints one line for each run; then prints one line for each number of ranks,
   * and the ratios of the medians.
   *
   * @param args the number of runs, by default 5, then the arguments of the job
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
    List<List<Run>> counted = new ArrayList<>();
    RANKS.forEach(_ -> counted.add(new ArrayList<>()));
    for (int run = -1; run < runs; run++) {
      for (int i = 0; i < RANKS.size(); i++) {
        Run took = run(RANKS.get(i));
        if (run >= 0) {
          counted.get(i).add(took);
        }
      }
    }
    for (int i = 0; i < RANKS.size(); i++) {
      double[] seconds = sorted(counted.get(i), Run::seconds);
      print(
          "ranks=%d runs=%d median=%.2f s least=%.2f s most=%.2f s"
              + " writing: %.0f frames/s, %.2f MiB/s of kept values",
          RANKS.get(i),
          runs,
          median(seconds),
          seconds[0],
          seconds[runs - 1],
          median(sorted(counted.get(i), Run::framesPerSecond)),
          median(sorted(counted.get(i), Run::keptPerSecond)) / (1 << 20));
    }
    print(
        "median of 1 rank / median of 2 ranks = %.2f, of writing %.2f (processors: %d)",
        ratio(counted, Run::seconds),
        ratio(counted, run -> 1 / run.framesPerSecond()),
        Runtime.getRuntime().availableProcessors());
  }

  private static double ratio(List<List<Run>> counted, ToDoubleFunction<Run> of) {
    return median(sorted(counted.getFirst(), of)) / median(sorted(counted.getLast(), of));
  }

  private static double[] sorted(List<Run> runs, ToDoubleFunction<Run> of) {
    return runs.stream().mapToDouble(of).sorted().toArray();
  }

  /**
   * One run of the job.
   *
   * @param seconds the seconds from the start of the process to its end
   * @param framesPerSecond the frames written per second
   * @param keptPerSecond the bytes of kept values written per second
   */
  private record Run(double seconds, double framesPerSecond, double keptPerSecond) {
    static Run of(double seconds, String json) {
      double frames = number(json, "frames");
      double pixels = frames * number(json, "rows") * number(json, "columns");
      double kept = number(json, "definedElements") * number(json, "rawBytes") / pixels;
      double writing = number(json, "writeSeconds");
      return new Run(seconds, frames / writing, kept / writing);
    }

    private static double number(String json, String name) {
      Matcher found = Pattern.compile("\"" + name + "\": *([0-9.eE+-]+)").matcher(json);
      if (!found.find()) {
        throw new IllegalStateException("not told by the job: name=" + name + " said=" + json);
      }
      return Double.parseDouble(found.group(1));
    }
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private Run run(int ranks) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(skerry, "lcls"));
    command.addAll(arguments);
    command.addAll(List.of("--ranks", String.valueOf(ranks), "--out", out.toString(), "--json"));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    int code = process.waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    Files.deleteIfExists(out);
    if (code != 0) {
      throw new IOException("the job failed: code=" + code + " command=" + command);
    }
    print("%6.2f s %s", seconds, printed);
    return Run.of(seconds, printed);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
