package io.skerry.value;

import io.skerry.selection.AllSelection;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.NoneSelection;
import io.skerry.selection.PointList;
import io.skerry.selection.Region;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats values as text. */
final class ValueText {
  private ValueText() {}

  static String joined(List<String> parts, String open, String close) {
    return parts.stream().collect(Collectors.joining(", ", open, close));
  }

  static String nested(List<Integer> dimensions, List<Value> elements) {
    if (dimensions.size() == 1) {
      return joined(elements.stream().map(Value::toString).toList(), "[", "]");
    }
    List<Integer> inner = dimensions.subList(1, dimensions.size());
    int each = elements.size() / dimensions.getFirst();
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < dimensions.getFirst(); i++) {
      rows.add(nested(inner, elements.subList(i * each, (i + 1) * each)));
    }
    return joined(rows, "[", "]");
  }

  static String region(Selection region) {
    return switch (region) {
      case AllSelection _ -> "{all}";
      case NoneSelection _ -> "{none}";
      case PointList points -> "{" + points.size() + " points}";
      case Hyperslab slab -> slab.toString();
      case Region other -> other.toString();
    };
  }
}
