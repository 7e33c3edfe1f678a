package io.skerry.integration.matrix;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Chooses rows of a table such that every pair of values that occurs in two columns of some row
 * also occurs in these columns of a chosen row. The algorithm is greedy: from a random sample of
 * the rows with uncovered pairs, it chooses the row with the most of them. The result is
 * deterministic.
 */
public final class CoveringArray {
  /** The number of candidates per step; more candidates yield fewer rows but take longer. */
  private static final int CANDIDATES = 40;

  private final List<List<Integer>> table;

  /**
   * Prepares the choice.
   *
   * @param table all rows, each with its value in every column
   */
  public CoveringArray(List<List<Integer>> table) {
    this.table = List.copyOf(table);
  }

  /**
   * Two values in two columns.
   *
   * @param first the smaller column index
   */
  private record Pair(int first, int value, int second, int other) {}

  private static List<Pair> pairs(List<Integer> row) {
    List<Pair> pairs = new ArrayList<>();
    for (int first = 0; first < row.size(); first++) {
      for (int second = first + 1; second < row.size(); second++) {
        pairs.add(new Pair(first, row.get(first), second, row.get(second)));
      }
    }
    return pairs;
  }

  /** Returns the indices of the chosen rows, in the order in which they were chosen. */
  public List<Integer> rows() {
    Random random = new Random(1);
    List<Integer> open = new ArrayList<>();
    Set<Pair> missing = new HashSet<>();
    for (int row = 0; row < table.size(); row++) {
      open.add(row);
      missing.addAll(pairs(table.get(row)));
    }
    List<Integer> chosen = new ArrayList<>();
    while (!missing.isEmpty()) {
      int best = -1;
      long most = 0;
      for (int i = 0; i < CANDIDATES && !open.isEmpty(); ) {
        int place = random.nextInt(open.size());
        long news = pairs(table.get(open.get(place))).stream().filter(missing::contains).count();
        if (news == 0) {
          // The row has no uncovered pair left, so the last row of the list replaces it.
          open.set(place, open.getLast());
          open.removeLast();
          continue;
        }
        if (news > most) {
          most = news;
          best = open.get(place);
        }
        i++;
      }
      chosen.add(best);
      missing.removeAll(pairs(table.get(best)));
    }
    return chosen;
  }
}
