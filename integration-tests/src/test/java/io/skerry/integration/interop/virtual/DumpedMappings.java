package io.skerry.integration.interop.virtual;

import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the mappings of a virtual dataset that {@code h5dump -p} prints. */
final class DumpedMappings {
  /** h5dump 1.10.8 prints this for an empty source selection, after the dataset a second time. */
  private static final String EMPTY_SOURCE = "Unknown Selection";

  private static final String SELECTION = "SELECTION (?:ALL|NONE|\\w+ \\{[^}]*\\})";

  private static final Pattern MAPPING =
      Pattern.compile(
          "MAPPING (?<number>\\d+) \\{\\s+VIRTUAL \\{\\s+(?<virtual>"
              + SELECTION
              + ")\\s+\\}\\s+SOURCE \\{\\s+FILE \"(?<file>[^\"]*)\"\\s+"
              + "DATASET \"(?<dataset>[^\"]*)\"\\s*"
              + "(?:(?<source>"
              + SELECTION
              + ")|DATASET \"[^\"]*\""
              + EMPTY_SOURCE
              + ")\\s+\\}\\s+\\}\\s");

  private static final Pattern REGULAR =
      Pattern.compile(
          "SELECTION REGULAR_HYPERSLAB \\{\\s+START \\((.*)\\)\\s+STRIDE \\((.*)\\)\\s+"
              + "COUNT \\((.*)\\)\\s+BLOCK \\((.*)\\)\\s+\\}");

  private static final Pattern IRREGULAR =
      Pattern.compile("SELECTION IRREGULAR_HYPERSLAB \\{\\s+([-(),\\d\\s]+)\\s+\\}");

  private static final Pattern CORNERS = Pattern.compile("\\(([\\d,]+)\\)-\\(([\\d,]+)\\)");

  private DumpedMappings() {}

  /**
   * Returns the mappings of the only virtual dataset in the output.
   *
   * @throws IllegalArgumentException if a part of the output is not understood
   */
  static VirtualLayout parse(String printed) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    List<MatchResult> mappings = MAPPING.matcher(printed).results().toList();
    if (mappings.size() != printed.split("MAPPING ", -1).length - 1) {
      throw new IllegalArgumentException("mappings that are not understood: " + printed);
    }
    for (int i = 0; i < mappings.size(); i++) {
      MatchResult mapping = mappings.get(i);
      if (Integer.parseInt(mapping.group("number")) != i) {
        throw new IllegalArgumentException("mappings that are not in order: " + printed);
      }
      Selection source =
          Optional.ofNullable(mapping.group("source"))
              .map(DumpedMappings::selection)
              .orElse(Selection.none());
      layout.map(
          selection(mapping.group("virtual")),
          VirtualSource.of(mapping.group("file"), mapping.group("dataset")).select(source));
    }
    return layout.build();
  }

  private static Selection selection(String text) {
    if (text.equals("SELECTION ALL")) {
      return Selection.all();
    }
    if (text.equals("SELECTION NONE")) {
      return Selection.none();
    }
    if (text.startsWith("SELECTION REGULAR")) {
      Matcher regular = match(REGULAR, text);
      return Selection.at(numbers(regular.group(1)))
          .stride(numbers(regular.group(2)))
          .count(numbers(regular.group(3)))
          .block(numbers(regular.group(4)));
    }
    List<Box> boxes = new ArrayList<>();
    String blocks = match(IRREGULAR, text).group(1);
    CORNERS
        .matcher(blocks)
        .results()
        .forEach(corners -> {
          long[] last = numbers(corners.group(2));
          boxes.add(
              new Box(numbers(corners.group(1)), Arrays.stream(last).map(at -> at + 1).toArray()));
        });
    return Selection.blocks(boxes);
  }

  private static long[] numbers(String text) {
    return PrintedMappings.numbers(text.replace("H5S_UNLIMITED", "-1"));
  }

  private static Matcher match(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not understood: " + text);
    }
    return matcher;
  }
}
