package io.skerry.integration.scale;

import io.skerry.integration.scale.StreamingJob.Figures;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Prints a table of the load of {@link StreamingJob} on the busiest rank, by number of ranks,
 * together with the load of the C library's algorithm. In that algorithm every rank gathers the
 * record of every chunk, three times for each write of filtered chunks.
 *
 * <p>The figures of the C library are computed, not measured: an all-gather of r records on n ranks
 * needs ceil(log2 n) messages, in which each rank receives the records that it does not have.
 * Source: HDF5 2.0, H5Dmpio.c, the structures for redistribution (48 bytes), allocation (48 bytes)
 * and insertion (40 bytes).
 */
public final class ScaleReport {
  /** The size in bytes of a record in each of the three gathers. */
  private static final long[] GATHERED = {48, 48, 40};

  private static final int[] RANKS = {16, 64, 256, 1024, 4096, 16_384, 65_536};

  private ScaleReport() {}

  /**
   * Prints the table.
   *
   * @param args optionally {@code containers} for the table of {@link ContainerJob}, then the
   *     numbers of ranks; by default 16 to 65,536
   */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals("containers")) {
      ContainerReport.print(ranks(Arrays.copyOfRange(args, 1, args.length)));
    } else {
      printFiles(ranks(args));
    }
  }

  private static int[] ranks(String... args) {
    for (String arg : args) {
      if (!arg.matches("[1-9][0-9]{0,6}")) {
        System.err.println("not a number of ranks: " + arg);
        System.err.println("usage: ./skerry bench scale [containers] [RANKS...]");
        System.exit(2);
      }
    }
    return args.length == 0 ? RANKS : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
  }

  private static void printFiles(int... ranks) {
    for (int framesPerChunk : new int[] {1, 4}) {
      System.out.println(
          framesPerChunk == 1
              ? "Each rank writes spots of 2 frames of 1024 × 1024 into chunks of its own:"
              : "\nThe same into chunks of " + framesPerChunk + " frames, which ranks share:");
      System.out.println();
      System.out.println(
          "| ranks | chunks | messages | bytes sent | bytes received | records | leaves | heap"
              + " | encoded, most / mean | gathering: messages | bytes received |");
      System.out.println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
      for (int n : ranks) {
        System.out.println(row(n, new StreamingJob(n, 2, framesPerChunk)));
      }
    }
  }

  private static String row(int ranks, StreamingJob job) {
    StreamingJob.Result result = job.run();
    List<Figures> all = result.figures();
    double mean = all.stream().mapToLong(Figures::encoded).average().orElseThrow();
    long gathered = job.chunks() * Arrays.stream(GATHERED).sum();
    int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    return String.format(
        Locale.ROOT,
        "| %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %.2f | %,d | %,d |",
        ranks,
        job.chunks(),
        most(all, figures -> total(figures.sent().values()).messages()),
        most(all, figures -> total(figures.sent().values()).bytes()),
        most(all, figures -> total(figures.received().values()).bytes()),
        most(all, Figures::records),
        most(all, Figures::leaves),
        result.heapPerRank(),
        most(all, Figures::encoded) / mean,
        (long) GATHERED.length * doublings,
        gathered - gathered / ranks);
  }

  /** Returns the sum of the messages of several steps. */
  static Traffic total(Iterable<Traffic> steps) {
    Traffic total = Traffic.NONE;
    for (Traffic step : steps) {
      total = new Traffic(total.messages() + step.messages(), total.bytes() + step.bytes());
    }
    return total;
  }

  private static long most(List<Figures> all, ToLongFunction<Figures> figure) {
    return all.stream().mapToLong(figure).max().orElseThrow();
  }
}
