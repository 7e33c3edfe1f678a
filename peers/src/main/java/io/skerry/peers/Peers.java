package io.skerry.peers;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The main class of {@code ./skerry bench files}, {@code sparse}, {@code small}, {@code virtual},
 * {@code iod}, {@code parallel} and {@code workers}. The first argument is the name of the
 * comparison, and the others are its options. The exit code is 0, 1 after a failure, or 2 for
 * invalid options.
 */
public final class Peers {
  private static final String USAGE =
      Options.USAGE
          + FrameOptions.Task.SPARSE.usage()
          + SmallOptions.USAGE
          + VirtualReads.USAGE
          + IodOptions.USAGE
          + ParallelOptions.USAGE
          + FrameOptions.Task.WORKERS.usage();

  private Peers() {}

  /** Runs a comparison. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (List.of(args).contains("--help")) {
      System.out.print(USAGE);
      return;
    }
    String name = args.length == 0 ? "" : args[0];
    String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    Comparison chosen;
    try {
      chosen = chosen(name, rest);
    } catch (IllegalArgumentException e) {
      System.err.print("skerry: " + e.getMessage() + "\n" + USAGE);
      System.exit(2);
      return;
    }
    chosen.run();
  }

  /** A comparison with parsed options. */
  @FunctionalInterface
  private interface Comparison {
    void run() throws IOException, InterruptedException;
  }

  private static Comparison chosen(String name, String[] args) {
    return switch (name) {
      case "files" -> {
        Options options = Options.parse(args);
        yield () -> FileBenchmark.run(options, args);
      }
      case "sparse" -> {
        FrameOptions options = FrameOptions.parse(FrameOptions.Task.SPARSE, args);
        yield () -> SparseBenchmark.run(options);
      }
      case "small" -> {
        SmallOptions options = SmallOptions.parse(args);
        yield () -> SmallReads.run(options, args);
      }
      case "small-task" -> {
        // Runs in the process that "small" starts for each of its tasks.
        SmallTask task = SmallTask.named(args.length == 0 ? "" : args[0]);
        SmallOptions options = SmallOptions.parse(Arrays.copyOfRange(args, 1, args.length));
        yield () -> task.run(options);
      }
      case "virtual" -> {
        VirtualReads reads = VirtualReads.parse(args);
        yield reads::run;
      }
      case "iod" -> {
        IodOptions options = IodOptions.parse(args);
        yield () -> new IodBenchmark(options).run(args);
      }
      case "parallel" -> {
        ParallelOptions options = ParallelOptions.parse(args);
        yield () -> ParallelBenchmark.run(options, args);
      }
      case "workers" -> {
        FrameOptions options = FrameOptions.parse(FrameOptions.Task.WORKERS, args);
        yield () -> WorkerBenchmark.run(options, args);
      }
      default -> throw new IllegalArgumentException("unknown comparison: name=" + name);
    };
  }
}
