package io.skerry.collective.multifile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the members of a family: {@code run%05d.h5} denotes {@code run00000.h5}, {@code
 * run00001.h5}, ….
 *
 * @param folder the folder of the members
 * @param before the part of the name before the number
 * @param conversion the format of the number: {@code %d}, or with a width, {@code %05d}
 * @param after the part of the name after the number
 */
record FamilyName(Path folder, String before, String conversion, String after) {
  private static final Pattern PATTERN =
      Pattern.compile("([^%]*)(%(?:0?[1-9][0-9]?)?)[diu]([^%]*)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /**
   * A possible membership of a file in a family.
   *
   * @param name the family
   * @param number the number of the member, from 0
   */
  record Place(FamilyName name, long number) {}

  /** Returns the family of a pattern; empty if the file name in the path is not a pattern. */
  static Optional<FamilyName> ofPattern(Path path) {
    Matcher parts = PATTERN.matcher(fileName(path));
    return parts.matches()
        ? Optional.of(
            new FamilyName(folder(path), parts.group(1), parts.group(2) + "d", parts.group(3)))
        : Optional.empty();
  }

  /**
   * Returns the families of which a file may be a member, starting with the family that corresponds
   * to the last number in the file name.
   */
  static List<Place> ofMember(Path path) {
    String name = fileName(path);
    List<Place> found = new ArrayList<>();
    for (MatchResult number : NUMBER.matcher(name).results().toList().reversed()) {
      String digits = number.group();
      String before = name.substring(0, number.start());
      String after = name.substring(number.end());
      long value = Long.parseLong(digits);
      if (digits.length() > 1) {
        String fixed = "%0" + digits.length() + "d";
        found.add(new Place(new FamilyName(folder(path), before, fixed, after), value));
      }
      if (digits.length() == 1 || digits.charAt(0) != '0') {
        found.add(new Place(new FamilyName(folder(path), before, "%d", after), value));
      }
    }
    return found;
  }

  private static String fileName(Path path) {
    return Optional.ofNullable(path.getFileName()).map(Path::toString).orElse("");
  }

  private static Path folder(Path path) {
    return Optional.ofNullable(path.getParent()).orElse(Path.of(""));
  }

  /** Returns the path of a member. */
  Path member(long number) {
    return folder.resolve(before + String.format(Locale.ROOT, conversion, number) + after);
  }

  /** Returns the pattern, with its folder. */
  Path pattern() {
    return folder.resolve(before + conversion + after);
  }
}
