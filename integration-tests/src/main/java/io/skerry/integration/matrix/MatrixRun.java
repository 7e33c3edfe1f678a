package io.skerry.integration.matrix;

import java.util.ArrayList;
import java.util.List;

/**
 * A case on a number of ranks.
 *
 * @param which the case
 * @param ranks the number of ranks
 */
public record MatrixRun(MatrixCase which, int ranks) {

  /** Returns all cases for each of the given numbers of ranks. */
  public static List<MatrixRun> all(List<Integer> ranks) {
    List<MatrixRun> all = new ArrayList<>();
    for (int n : ranks) {
      MatrixCase.all().forEach(which -> all.add(new MatrixRun(which, n)));
    }
    return all;
  }

  /** Returns a small subset that contains each possible pair of values. */
  public static List<MatrixRun> pairwise(List<Integer> ranks) {
    List<MatrixRun> all = all(ranks);
    return new CoveringArray(all.stream().map(MatrixRun::levels).toList())
        .rows().stream().map(all::get).toList();
  }

  /** Returns the index of the value in each dimension of the case, and the number of ranks. */
  List<Integer> levels() {
    List<Integer> levels = new ArrayList<>(which.levels());
    levels.add(ranks);
    return levels;
  }

  /** Returns a name for messages and files. */
  public String label() {
    return which.label() + "-" + ranks;
  }
}
