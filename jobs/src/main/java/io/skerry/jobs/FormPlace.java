package io.skerry.jobs;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where an array in one of the forms is, as typed.
 *
 * @param file an HDF5 file, or a text
 * @param path of the group or dataset, if it was given
 */
public record FormPlace(Path file, Optional<String> path) {
  /**
   * Splits {@code FILE[:/path]}.
   *
   * @throws IllegalArgumentException if a text has a path
   */
  static FormPlace parse(String text, Interchange form) {
    int colon = text.lastIndexOf(":/");
    if (colon < 1) {
      return new FormPlace(Path.of(text), Optional.empty());
    }
    if (form == Interchange.MTX) {
      throw new IllegalArgumentException("a text has no path in it: file=" + text);
    }
    return new FormPlace(Path.of(text.substring(0, colon)), Optional.of(text.substring(colon + 1)));
  }

  @Override
  public String toString() {
    return file + path.map(p -> ":" + p).orElse("");
  }
}
