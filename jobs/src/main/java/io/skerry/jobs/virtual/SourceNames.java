package io.skerry.jobs.virtual;

import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.run.JobException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Expands the names of sources: the last component of a file name may contain wildcards. */
final class SourceNames {
  private SourceNames() {}

  /**
   * Returns the sources that the arguments name, in the order of the arguments; the files of one
   * argument are sorted by name, with the numbers in names compared by value.
   *
   * @throws JobException if no file matches an argument, or if the folder of the files cannot be
   *     read
   */
  static List<ObjectArgument> expand(List<String> arguments) {
    List<ObjectArgument> all = new ArrayList<>();
    for (String argument : arguments) {
      ObjectArgument place = ObjectArgument.parse("source", argument);
      if (Files.exists(place.file()) || !hasWildcards(place.file())) {
        all.add(place);
      } else {
        matching(place.file()).forEach(file -> all.add(new ObjectArgument(file, place.path())));
      }
    }
    return all;
  }

  private static boolean hasWildcards(Path file) {
    return file.toString().chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  private static List<Path> matching(Path pattern) {
    Path folder = pattern.getParent();
    List<Path> found = new ArrayList<>();
    Path in = folder == null ? Path.of("") : folder;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(in, String.valueOf(pattern.getFileName()))) {
      files.forEach(found::add);
    } catch (IOException e) {
      throw new JobException("the folder of a source cannot be read: folder=" + in, e);
    }
    if (found.isEmpty()) {
      throw new JobException("no file has such a name: source=" + pattern);
    }
    found.sort(Comparator.comparing(Path::toString, SourceNames::compare));
    return found;
  }

  /** Compares names; numbers in the names are compared by value. */
  static int compare(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      int endA = endOfNumber(a, i);
      int endB = endOfNumber(b, j);
      int order;
      if (endA > i && endB > j) {
        String first = withoutZeros(a.substring(i, endA));
        String second = withoutZeros(b.substring(j, endB));
        order =
            first.length() != second.length()
                ? Integer.compare(first.length(), second.length())
                : first.compareTo(second);
        i = endA;
        j = endB;
      } else {
        order = Character.compare(a.charAt(i++), b.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    int rest = Integer.compare(a.length() - i, b.length() - j);
    return rest != 0 ? rest : a.compareTo(b);
  }

  private static int endOfNumber(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  private static String withoutZeros(String number) {
    int at = 0;
    while (at < number.length() - 1 && number.charAt(at) == '0') {
      at++;
    }
    return number.substring(at);
  }
}
