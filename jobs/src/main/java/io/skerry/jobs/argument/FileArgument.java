package io.skerry.jobs.argument;

import io.skerry.spi.Connectors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file, or an object in a file, as given on the command line.
 *
 * @param file an HDF5 file, a location in another store such as {@code iod:run}, or a text file if
 *     the command accepts one
 * @param path the absolute path of the object; empty if none was given
 */
public record FileArgument(Path file, Optional<String> path) {
  private static final String SEPARATOR = ":/";

  /**
   * Splits {@code FILE[:/path]} at a colon that is immediately followed by a slash. If the text has
   * several such colons, the first that follows the name of an existing file is chosen, because
   * object names may contain colons too; if there is none, the last is chosen. The text is a file
   * name if it has no such colon, or only one at its beginning. The colon after the {@linkplain
   * Connectors#isScheme scheme} of another store does not count.
   */
  public static FileArgument parse(String text) {
    int begin = begin(text);
    int last = text.lastIndexOf(SEPARATOR);
    int colon = text.indexOf(SEPARATOR, begin + 1);
    while (colon >= 0 && colon < last && !exists(text.substring(0, colon), begin)) {
      colon = text.indexOf(SEPARATOR, colon + 1);
    }
    return colon < 1
        ? new FileArgument(Path.of(text), Optional.empty())
        : new FileArgument(
            Path.of(text.substring(0, colon)), Optional.of(text.substring(colon + 1)));
  }

  /** Returns the index at which the path of the file begins. */
  private static int begin(String text) {
    // The path of an object may contain characters that are invalid in the path of a file.
    return Connectors.Location.scheme(text)
        .filter(Connectors::isScheme)
        .map(scheme -> scheme.length() + 1)
        .orElse(0);
  }

  private static boolean exists(String file, int begin) {
    return begin > 0
        ? Files.exists(Connectors.Location.parse(file).base())
        : Files.isRegularFile(Path.of(file));
  }

  @Override
  public String toString() {
    return file + path.map(p -> ":" + p).orElse("");
  }
}
