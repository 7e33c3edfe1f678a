package io.skerry.jobs.inspect;

import io.skerry.StorageInfo;
import io.skerry.chunk.text.PrintableText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Prints the tree of a file as indented text: one line per object, link, attribute or problem, and
 * a few lines for the mappings of a virtual dataset.
 */
final class TreeText {
  private final PrintWriter out;

  TreeText(PrintWriter out) {
    this.out = out;
  }

  /** Prints one object or link. */
  void entry(TreeEntry entry) {
    int depth = entry.place().depth();
    String name = entry.place().name();
    switch (entry) {
      case TreeEntry.OfGroup group -> {
        line(depth, depth == 0 ? "/" : name + "/", "");
        notes(depth + 1, group.attributes(), group.problems());
      }
      case TreeEntry.OfDataset dataset -> {
        line(depth, name, describe(dataset));
        dataset
            .mappings()
            .ifPresent(mapped -> mapped.lines().forEach(each -> line(depth + 1, "", each)));
        notes(depth + 1, dataset.attributes(), dataset.problems());
      }
      case TreeEntry.OfType(var _, String type) -> line(depth, name, "type " + type);
      case TreeEntry.OfMap map -> {
        line(depth, name, describe(map));
        notes(depth + 1, map.attributes(), map.problems());
      }
      case TreeEntry.OfLink(var _, String target) -> line(depth, name, target);
      case TreeEntry.Unreadable(var _, String reason) -> line(depth, name, reason);
    }
  }

  private void notes(int depth, List<TreeEntry.Note> attributes, List<String> problems) {
    attributes.forEach(note -> line(depth, "@" + note.name(), note.value()));
    problems.forEach(problem -> line(depth, "?", problem));
  }

  private static String describe(TreeEntry.OfDataset dataset) {
    StorageInfo storage = dataset.storage();
    StringBuilder text = new StringBuilder();
    text.append(dataset.shape()).append(' ').append(dataset.type());
    text.append("  ").append(storage.layout());
    if (!storage.chunk().isEmpty()) {
      text.append(' ')
          .append(storage.chunk().stream().map(String::valueOf).collect(Collectors.joining("x")));
      text.append(" by ").append(storage.index());
    }
    dataset.mappings().ifPresent(mapped -> text.append("  ").append(mapped.text()));
    storage.filters().forEach(filter -> text.append("  ").append(filter));
    dataset
        .defined()
        .ifPresent(count -> text.append(String.format(Locale.ROOT, "  %,d defined", count)));
    return text.toString();
  }

  private static String describe(TreeEntry.OfMap map) {
    String types = "map from " + map.key() + " to " + map.value();
    return map.size().isEmpty()
        ? types
        : String.format(Locale.ROOT, "%s  %,d pairs", types, map.size().getAsLong());
  }

  private void line(int depth, String name, String text) {
    String left = "  ".repeat(depth) + PrintableText.text(name);
    out.println(
        text.isEmpty()
            ? left
            : String.format(Locale.ROOT, "%-28s  %s", left, PrintableText.text(text)));
  }
}
