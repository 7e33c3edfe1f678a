package io.skerry.jobs.argument;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file, or an object in a file, as given on the command line.
 *
 * @param file an HDF5 file, or a text file if the command accepts one
 * @param path the absolute path of the object; empty if none was given
 */
public record FileArgument(Path file, Optional<String> path) {
  /**
   * Splits {@code FILE[:/path]} at the last colon that is immediately followed by a slash. The text
   * is a file name if it has no such colon or begins with it.
   */
  public static FileArgument parse(String text) {
    int colon = text.lastIndexOf(":/");
    return colon < 1
        ? new FileArgument(Path.of(text), Optional.empty())
        : new FileArgument(
            Path.of(text.substring(0, colon)), Optional.of(text.substring(colon + 1)));
  }

  @Override
  public String toString() {
    return file + path.map(p -> ":" + p).orElse("");
  }
}
