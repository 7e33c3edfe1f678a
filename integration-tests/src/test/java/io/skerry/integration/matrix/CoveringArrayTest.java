package io.skerry.integration.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoveringArrayTest {
  private static Set<List<Integer>> pairs(List<List<Integer>> rows) {
    Set<List<Integer>> pairs = new HashSet<>();
    for (List<Integer> row : rows) {
      for (int a = 0; a < row.size(); a++) {
        for (int b = a + 1; b < row.size(); b++) {
          pairs.add(List.of(a, row.get(a), b, row.get(b)));
        }
      }
    }
    return pairs;
  }

  @Test
  void each_pair_of_values_is_in_a_chosen_row() {
    List<List<Integer>> table = new ArrayList<>();
    for (int i = 0; i < 7 * 5 * 3 * 2; i++) {
      List<Integer> row = List.of(i % 7, i / 7 % 5, i / 35 % 3, i / 105);
      // Excludes some pairs of values.
      if (row.get(0) != 3 || row.get(2) == 1) {
        table.add(row);
      }
    }
    List<List<Integer>> chosen = new CoveringArray(table).rows().stream().map(table::get).toList();
    assertEquals(pairs(table), pairs(chosen));
    assertTrue(chosen.size() >= 35 && chosen.size() < 50, "rows: " + chosen.size());
  }

  @Test
  void the_chosen_cases_have_each_pair_of_values_and_each_value_of_every_dimension() {
    List<Integer> ranks = List.of(1, 2, 3, 4, 7);
    List<MatrixRun> all = MatrixRun.all(ranks);
    List<MatrixRun> chosen = MatrixRun.pairwise(ranks);
    assertEquals(
        pairs(all.stream().map(MatrixRun::levels).toList()),
        pairs(chosen.stream().map(MatrixRun::levels).toList()));
    assertEquals(chosen.size(), new HashSet<>(chosen).size());
    assertTrue(chosen.size() * 20 < all.size(), chosen.size() + " of " + all.size());
    for (SelectionPattern access : SelectionPattern.values()) {
      assertTrue(chosen.stream().anyMatch(run -> run.which().access() == access), access.name());
    }
    for (Storing storing : Storing.values()) {
      assertTrue(chosen.stream().anyMatch(run -> run.which().storing() == storing), storing.name());
    }
  }
}
