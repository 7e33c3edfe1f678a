package io.skerry.integration.matrix;

import java.util.ArrayList;
import java.util.List;

/**
 * A case of the matrix: one value of each dimension except the number of ranks.
 *
 * @param access the selections of the ranks
 * @param storing the storage of the first dataset
 * @param direction the processes that write and read the file
 * @param mode the time at which chunks are stored
 * @param datasets the number of datasets that a call writes
 */
public record MatrixCase(
    SelectionPattern access,
    Storing storing,
    Direction direction,
    StoringMode mode,
    DatasetCount datasets) {

  /**
   * Returns all possible cases, which are not all combinations, because some storages do not
   * support some selection patterns.
   */
  public static List<MatrixCase> all() {
    List<MatrixCase> all = new ArrayList<>();
    for (SelectionPattern access : SelectionPattern.values()) {
      for (Storing storing : Storing.values()) {
        for (Direction direction : Direction.values()) {
          for (StoringMode mode : StoringMode.values()) {
            for (DatasetCount datasets : DatasetCount.values()) {
              if (storing.fits(access)) {
                all.add(new MatrixCase(access, storing, direction, mode, datasets));
              }
            }
          }
        }
      }
    }
    return all;
  }

  /** Returns the index of the value in each dimension. */
  List<Integer> levels() {
    return List.of(
        access.ordinal(),
        storing.ordinal(),
        direction.ordinal(),
        mode.ordinal(),
        datasets.ordinal());
  }

  /** Returns the storage of each dataset of the file; the first is that of the case. */
  List<Storing> storages() {
    List<Storing> storages = new ArrayList<>();
    for (int i = 0; storages.size() < datasets.count(); i++) {
      // The stride and the number of storages are coprime, so every storage is visited.
      Storing next = Storing.values()[(storing.ordinal() + 5 * i) % Storing.values().length];
      if (next.fits(access)) {
        storages.add(next);
      }
    }
    return storages;
  }

  /** Returns a name for messages and files. */
  public String label() {
    return String.join(
        "-", access.name(), storing.name(), direction.name(), mode.name(), datasets.name());
  }
}
