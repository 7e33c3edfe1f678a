package io.skerry.benchmarks;

import io.skerry.integration.scale.ScaleReport;
import java.io.IOException;
import java.util.Arrays;

/**
 * What {@code ./skerry bench} starts: {@link WholeProcess} if the first argument is {@code job},
 * {@link StartUp} if it is {@code startup}, {@link SparseSizes} if it is {@code sizes}, {@link
 * HitRatios} if it is {@code hits}, {@link ScaleReport} if it is {@code scale}, else JMH, whose
 * options all arguments then are.
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
