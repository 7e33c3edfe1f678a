package io.skerry.jobs;

import java.nio.file.Path;

/**
 * An object and its file, as typed.
 *
 * @param file the file
 * @param path absolute path of the object
 */
record ObjectPlace(Path file, String path) {
  /**
   * Splits {@code FILE:/path}.
   *
   * @param what the argument is, for the error
   * @throws IllegalArgumentException if there is no file or no absolute path in it
   */
  static ObjectPlace parse(String what, String text) {
    int colon = text.lastIndexOf(":/");
    if (colon < 1 || colon + 2 == text.length()) {
      throw new IllegalArgumentException("not FILE:/path: " + what + "=" + text);
    }
    return new ObjectPlace(Path.of(text.substring(0, colon)), text.substring(colon + 1));
  }
}
