package io.skerry.integration.crash;

import io.skerry.H5File;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks values that are overwritten in place. After a crash, each byte of an element must be that
 * of a value that the element has had since the last acknowledged flush.
 */
final class InPlaceValues {
  private InPlaceValues() {}

  /** Returns a description of the first element with an impossible value, or empty. */
  static Optional<String> difference(
      H5File file, CrashProgram program, CrashStates.Crashed crashed) {
    Set<String> paths = new HashSet<>();
    ContentText.paths(file.root(), paths);
    for (String path : paths) {
      if (program.loose().contains(StorageKind.of(path))) {
        int[] values =
            file.dataset(path).shape().extent(0) == 0
                ? new int[0]
                : StorageKind.of(path).read(file.dataset(path));
        for (int element = 0; element < values.length; element++) {
          int at = element;
          boolean mixture =
              crashed.bounds().stream()
                  .allMatch(bounds -> isMixture(values[at], path, at, program, bounds));
          if (!mixture) {
            return Optional.of(
                "a value that was never there: path="
                    + path
                    + " element="
                    + element
                    + " actual="
                    + values[element]);
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isMixture(
      int actual, String path, int element, CrashProgram program, CrashStates.Bounds bounds) {
    int wrong = -1;
    for (int done = bounds.acknowledged(); done <= bounds.begun(); done++) {
      Map<String, CrashModel.Numbers> datasets = program.model(done).datasets();
      int value = datasets.containsKey(path) ? datasets.get(path).value(element) : 0;
      for (int shift = 0; shift < 32; shift += 8) {
        if ((value >> shift & 0xff) == (actual >> shift & 0xff)) {
          wrong &= ~(0xff << shift);
        }
      }
    }
    return wrong == 0;
  }
}
