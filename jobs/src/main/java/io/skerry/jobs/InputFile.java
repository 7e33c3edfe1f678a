package io.skerry.jobs;

import java.nio.file.Files;
import java.nio.file.Path;

/** Says in plain words why a file cannot be opened, where that can be seen from outside. */
final class InputFile {
  private InputFile() {}

  /**
   * Checks that there is such a file.
   *
   * @throws JobException if there is none, or it may not be read
   */
  static void check(Path file) {
    if (Files.isDirectory(file)) {
      throw new JobException("a folder, not a file: file=" + file);
    }
    if (!Files.exists(file)) {
      throw new JobException("no such file: file=" + file);
    }
    if (!Files.isRegularFile(file)) {
      throw new JobException("not an ordinary file: file=" + file);
    }
    if (!Files.isReadable(file)) {
      throw new JobException("the file may not be read: file=" + file);
    }
  }
}
