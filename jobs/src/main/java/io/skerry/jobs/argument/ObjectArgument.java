package io.skerry.jobs.argument;

import java.nio.file.Path;

/**
 * An object and its file, as typed.
 *
 * @param file the file
 * @param path absolute path of the object
 */
public record ObjectArgument(Path file, String path) {
  /**
   * Splits {@code FILE:/path}.
   *
   * @param what the argument is, for the error
   * @throws IllegalArgumentException if there is no file or no absolute path in it
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
