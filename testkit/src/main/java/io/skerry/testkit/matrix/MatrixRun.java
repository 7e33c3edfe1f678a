package io.skerry.testkit.matrix;

import java.util.ArrayList;
import java.util.List;

/**
 * A case on so many ranks.
 *
 * @param which the case
 * @param ranks how many
 */
public record MatrixRun(MatrixCase which, int ranks) {

  /** All cases on each of these numbers of ranks. */
  public static List<MatrixRun> all(List<Integer> ranks) {
    List<MatrixRun> all = new ArrayList<>();
    for (int n : ranks) {
      MatrixCase.all().forEach(which -> all.add(new MatrixRun(which, n)));
    }
    return all;
  }

  /** So few that each pair of values that can meet does so in one of them. */
  public static List<MatrixRun> pairwise(List<Integer> ranks) {
    List<MatrixRun> all = all(ranks);
    return new CoveringArray(all.stream().map(MatrixRun::levels).toList())
        .rows().stream().map(all::get).toList();
  }

  /** The number of its value in each dimension. */
  List<Integer> levels() {
    List<Integer> levels = new ArrayList<>(which.levels());
    levels.add(ranks);
    return levels;
  }

  /** A name for messages and files. */
  public String label() {
    return which.label() + "-" + ranks;
  }
}
