package io.skerry.integration.interop.virtual;

import io.skerry.format.vds.NamePattern;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses the mappings that {@code random_virtual.py} prints. */
final class PrintedMappings {
  private PrintedMappings() {}

  /** Returns the mappings of each dataset, by its name. */
  static Map<String, List<VirtualMapping>> parse(String printed) {
    Map<String, List<VirtualMapping>> mappings = new LinkedHashMap<>();
    for (String line : printed.lines().toList()) {
      String[] fields = line.split("\t", -1);
      mappings
          .computeIfAbsent(fields[0], _ -> new ArrayList<>())
          .add(
              new VirtualMapping(
                  new NamePattern(fields[1]),
                  new NamePattern(fields[2]),
                  selection(fields[3]),
                  selection(fields[4])));
    }
    return mappings;
  }

  /** Parses a selection; -1 is unlimited. */
  static Selection selection(String text) {
    String[] words = text.split(" ");
    return switch (words[0]) {
      case "all" -> Selection.all();
      case "none" -> Selection.none();
      case "slab" ->
          Selection.at(numbers(words[1]))
              .stride(numbers(words[2]))
              .count(numbers(words[3]))
              .block(numbers(words[4]));
      case "blocks" -> blocks(words);
      case "points" ->
          Selection.points(
              Arrays.stream(words).skip(1).map(PrintedMappings::numbers).toArray(long[][]::new));
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static Selection blocks(String[] words) {
    List<Box> boxes = new ArrayList<>();
    for (int i = 1; i < words.length; i += 2) {
      long[] start = numbers(words[i]);
      long[] size = numbers(words[i + 1]);
      long[] end = new long[start.length];
      Arrays.setAll(end, d -> start[d] + size[d]);
      boxes.add(new Box(start, end));
    }
    return Selection.blocks(boxes);
  }

  /** Parses numbers separated by commas; -1 is unlimited. */
  static long[] numbers(String text) {
    return Arrays.stream(text.split(","))
        .mapToLong(Long::parseLong)
        .map(n -> n < 0 ? Shape.UNLIMITED : n)
        .toArray();
  }
}
