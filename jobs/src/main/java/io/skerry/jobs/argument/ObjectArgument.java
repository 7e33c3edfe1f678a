package io.skerry.jobs.argument;

import java.nio.file.Path;

/**
 * An object and its file, as given on the command line.
 *
 * @param file the file
 * @param path the absolute path of the object, other than the root group
 */
public record ObjectArgument(Path file, String path) {
  /**
   * Splits {@code FILE:/path} like {@link FileArgument#parse}.
   *
   * @param what the name of the argument, for the error message
   * @throws IllegalArgumentException if the text lacks the file or the path, or if the path is that
   *     of the root group
   */
  public static ObjectArgument parse(String what, String text) {
    FileArgument place = FileArgument.parse(text);
    String path =
        place
            .path()
            .filter(p -> !p.equals("/"))
            .orElseThrow(
                () -> new IllegalArgumentException("not FILE:/path: " + what + "=" + text));
    return new ObjectArgument(place.file(), path);
  }
}
