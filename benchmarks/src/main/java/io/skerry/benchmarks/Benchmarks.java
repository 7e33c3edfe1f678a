package io.skerry.benchmarks;

import io.skerry.integration.scale.ScaleReport;
import java.io.IOException;
import java.util.Arrays;

/**
 * The main class of {@code ./skerry bench}. The first argument chooses the program: {@code job} for
 * {@link WholeProcess}, {@code startup} for {@link StartUp}, {@code sizes} for {@link SparseSizes},
 * {@code hits} for {@link HitRatios}, {@code scale} for {@link ScaleReport}. If the first argument
 * is none of these, all arguments are passed to JMH.
 */
public final class Benchmarks {
  private Benchmarks() {}

  /** Runs benchmarks. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0 && args[0].equals("job")) {
      WholeProcess.main(Arrays.copyOfRange(args, 1, args.length));
    } else if (args.length > 0 && args[0].equals("startup")) {
      StartUp.main(Arrays.copyOfRange(args, 1, args.length));
    } else if (args.length > 0 && args[0].equals("sizes")) {
      SparseSizes.main(Arrays.copyOfRange(args, 1, args.length));
    } else if (args.length > 0 && args[0].equals("hits")) {
      HitRatios.main(Arrays.copyOfRange(args, 1, args.length));
    } else if (args.length > 0 && args[0].equals("scale")) {
      ScaleReport.main(Arrays.copyOfRange(args, 1, args.length));
    } else {
      org.openjdk.jmh.Main.main(args);
    }
  }
}
