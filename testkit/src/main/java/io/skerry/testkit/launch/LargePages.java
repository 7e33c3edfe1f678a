package io.skerry.testkit.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The option that makes a JVM use large pages for its heap. With large pages, a short program takes
 * 10 to 20 % less processor time, since it touches fewer new pages.
 */
final class LargePages {
  private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  private LargePages() {}

  /**
   * Returns the option, or an empty list if the kernel does not allow large pages. In that case,
   * the option would cause a warning in the output of the program.
   */
  static List<String> options() {
    try {
      return Files.readString(SETTING).contains("[never]")
          ? List.of()
          : List.of("-XX:+UseTransparentHugePages");
    } catch (IOException e) {
      return List.of();
    }
  }
}
