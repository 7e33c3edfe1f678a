package io.skerry.testkit.matrix;

import java.util.ArrayList;
import java.util.List;

/**
 * One value of each dimension but the number of ranks.
 *
 * @param access what the ranks select
 * @param storing how it is stored
 * @param direction who writes and who reads
 * @param mode when chunks are stored
 * @param datasets how many datasets a call writes to
 */
public record MatrixCase(
    Access access, Storing storing, Direction direction, Mode mode, Datasets datasets) {

  /** All that make sense: not every storage can do what every access asks for. */
  public static List<MatrixCase> all() {
    List<MatrixCase> all = new ArrayList<>();
    for (Access access : Access.values()) {
      for (Storing storing : Storing.values()) {
        for (Direction direction : Direction.values()) {
          for (Mode mode : Mode.values()) {
            for (Datasets datasets : Datasets.values()) {
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

  /** The number of its value in each dimension. */
  List<Integer> levels() {
    return List.of(
        access.ordinal(),
        storing.ordinal(),
        direction.ordinal(),
        mode.ordinal(),
        datasets.ordinal());
  }

  /** How each dataset of the file is stored: the first as the case says. */
  List<Storing> storages() {
    List<Storing> storages = new ArrayList<>();
    for (int i = 0; storages.size() < datasets.count(); i++) {
      // A stride without a common divisor with the number of values meets all of them.
      Storing next = Storing.values()[(storing.ordinal() + 5 * i) % Storing.values().length];
      if (next.fits(access)) {
        storages.add(next);
      }
    }
    return storages;
  }

  /** A name for messages and files. */
  public String label() {
    return String.join(
        "-", access.name(), storing.name(), direction.name(), mode.name(), datasets.name());
  }
}
