package io.skerry.jobs.file;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** The names of the files that the ranks of a job write next to a main file. */
public final class RankFileName {
  private RankFileName() {}

  /**
   * Returns the file of one rank: {@code X.N.h5} next to the main file, where {@code X} is the name
   * of the main file without its extension and {@code N} is the number of the rank.
   */
  public static Path of(Path main, int rank) {
    return sibling(main, String.valueOf(rank));
  }

  /**
   * Returns {@code X.WHAT.h5} next to the main file, where {@code X} is the name of the main file
   * without its extension.
   */
  public static Path sibling(Path main, String what) {
    Path plain = InputFile.plain(main);
    Path beside = plain.resolveSibling(stem(main) + "." + what + ".h5");
    return Path.of(InputFile.location(main).at(beside).toString());
  }

  /** Returns whether a file is named like the file of a rank. The folder of the file is ignored. */
  static boolean isOf(Path main, Path file) {
    return Pattern.matches(
        Pattern.quote(stem(main)) + "\\.[0-9]+\\.h5", String.valueOf(file.getFileName()));
  }

  private static String stem(Path main) {
    String name = String.valueOf(InputFile.plain(main).getFileName());
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }
}
