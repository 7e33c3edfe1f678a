package io.skerry.testkit.matrix;

import io.skerry.mpi.Communicator;
import io.skerry.testkit.mpi.RankedCase;
import io.skerry.testkit.mpi.RankedCases;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The cases of one number of ranks, which {@code -Dskerry.matrix.ranks} tells. {@code
 * -Dskerry.matrix=full} runs all of them instead of so many that, with the other numbers of ranks,
 * each pair of values meets; {@code -Dskerry.matrix.step=N} only every N-th. {@code
 * -Dskerry.matrix.folder}, which all ranks must see, receives the files that another library reads
 * afterwards, see {@link KeptFiles}.
 */
public final class MatrixCases implements RankedCases {
  /** Numbers of processes. */
  public static final List<Integer> PROCESSES = List.of(1, 2, 4);

  /** Numbers of ranks as threads. */
  public static final List<Integer> THREADS = List.of(1, 2, 3, 4, 7);

  private final KeptFiles kept =
      new KeptFiles(Path.of(System.getProperty("skerry.matrix.folder", "")));

  /** Which cases are run where nothing else is said. */
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

  /** Those of them that so many processes run. */
  public static List<MatrixRun> ofProcesses(int ranks) {
    return chosen(PROCESSES).stream().filter(run -> run.ranks() == ranks).toList();
  }

  /** Every so many of them, for a slow back end. */
  public static List<MatrixRun> ofProcesses(int ranks, int step) {
    List<MatrixRun> all = ofProcesses(ranks);
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
