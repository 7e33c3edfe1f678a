package io.skerry.integration.matrix;

import io.skerry.mpi.Communicator;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The cases for the number of ranks that {@code -Dskerry.matrix.ranks} specifies. By default a
 * subset runs; the subsets for all numbers of ranks together contain each pair of values. {@code
 * -Dskerry.matrix=full} runs all cases, and {@code -Dskerry.matrix.step=N} runs only every N-th
 * chosen case. {@code -Dskerry.matrix.folder}, which all ranks must be able to access, receives the
 * files that another library reads afterwards, see {@link KeptFiles}.
 */
public final class MatrixCases implements RankedCases {
  /** The tested process counts. */
  public static final List<Integer> PROCESSES = List.of(1, 2, 4);

  /** The tested rank counts if ranks are threads. */
  public static final List<Integer> THREADS = List.of(1, 2, 3, 4, 7);

  private final KeptFiles kept =
      new KeptFiles(Path.of(System.getProperty("skerry.matrix.folder", "")));

  /** Returns the cases that {@code -Dskerry.matrix} chooses, by default the pairwise subset. */
  public static List<MatrixRun> chosen(List<Integer> ranks) {
    return switch (System.getProperty("skerry.matrix", "pairwise")) {
      case "pairwise" -> MatrixRun.pairwise(ranks);
      case "full" -> MatrixRun.all(ranks);
      default ->
          throw new IllegalArgumentException(
              "skerry.matrix: expected=pairwise or full actual="
                  + System.getProperty("skerry.matrix"));
    };
  }

  /** Returns the chosen cases for a number of processes. */
  public static List<MatrixRun> ofProcesses(int ranks) {
    return chosen(PROCESSES).stream().filter(run -> run.ranks() == ranks).toList();
  }

  /** Returns every {@code step}-th of the chosen cases for a number of processes. */
  public static List<MatrixRun> ofProcesses(int ranks, int step) {
    return every(step, ofProcesses(ranks));
  }

  /** Returns every {@code step}-th case of the pairwise subset for a number of processes. */
  public static List<MatrixRun> pairwiseOfProcesses(int ranks, int step) {
    return every(
        step, MatrixRun.pairwise(PROCESSES).stream().filter(run -> run.ranks() == ranks).toList());
  }

  private static List<MatrixRun> every(int step, List<MatrixRun> all) {
    return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get).toList();
  }

  @Override
  public List<RankedCase> cases() {
    int ranks = Integer.getInteger("skerry.matrix.ranks", 1);
    return ofProcesses(ranks, Integer.getInteger("skerry.matrix.step", 1)).stream()
        .map(run -> ranked(run.which()))
        .toList();
  }

  private RankedCase ranked(MatrixCase which) {
    return new RankedCase(which.label(), world -> run(world, which));
  }

  private void run(Communicator world, MatrixCase which) {
    Path path = kept.file(which.label());
    List<ExpectedArray> arrays = new CaseRun(world, which, path).run();
    if (world.rank() == 0) {
      kept.keep(path, arrays);
    }
  }
}
