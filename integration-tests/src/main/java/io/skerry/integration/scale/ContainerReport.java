package io.skerry.integration.scale;

import io.skerry.integration.scale.ContainerJob.Figures;
import io.skerry.integration.scale.ContainerJob.Served;
import io.skerry.integration.scale.ContainerJob.Step;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Prints a table of the load of {@link ContainerJob} on the busiest compute rank and on the busiest
 * I/O rank, by number of ranks.
 */
final class ContainerReport {
  private ContainerReport() {}

  static void print(int[] ranks) {
    for (int framesPerTile : new int[] {1, 4}) {
      System.out.println(
          framesPerTile == 1
              ? "Each compute rank writes spots of 2 frames of 1024 × 1024 into tiles of its own,"
              : "\nThe same into tiles of " + framesPerTile + " frames, which ranks share,");
      System.out.println("commits them and reads them; one rank of 32 is an I/O rank:");
      System.out.println();
      System.out.println(
          "| ranks | I/O ranks | tiles owned | compute rank: agreements | pieces | calls"
              + " | bytes sent | bytes received | I/O rank: messages received | bytes received"
              + " | messages sent | bytes sent | most / mean | commit: messages of the leader |");
      System.out.println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
      for (int n : ranks) {
        System.out.println(row(n, new ContainerJob(n, 2, framesPerTile)));
      }
    }
  }

  private static String row(int ranks, ContainerJob job) {
    ContainerJob.Loads loads = job.run();
    List<Figures> computing = loads.computing();
    List<Served> serving = loads.serving();
    double mean =
        serving.stream().mapToLong(served -> served.received().messages()).average().orElseThrow();
    return String.format(
        Locale.ROOT,
        "| %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %.2f | %,d |",
        ranks,
        job.servers(),
        most(computing, Figures::owned),
        most(computing, figures -> messages(figures, Step.AGREE)),
        most(computing, figures -> messages(figures, Step.PIECES)),
        most(computing, figures -> messages(figures, Step.TILES) + messages(figures, Step.READ)),
        most(computing, figures -> ScaleReport.total(figures.sent().values()).bytes()),
        most(computing, figures -> ScaleReport.total(figures.received().values()).bytes()),
        most(serving, served -> served.received().messages()),
        most(serving, served -> served.received().bytes()),
        most(serving, served -> served.sent().messages()),
        most(serving, served -> served.sent().bytes()),
        most(serving, served -> served.received().messages()) / mean,
        loads.leading().sent().messages() + loads.leading().received().messages());
  }

  private static long messages(Figures figures, Step step) {
    return figures.sent().getOrDefault(step, Traffic.NONE).messages();
  }

  private static <T> long most(List<T> all, ToLongFunction<T> figure) {
    return all.stream().mapToLong(figure).max().orElseThrow();
  }
}
