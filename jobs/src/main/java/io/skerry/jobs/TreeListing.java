package io.skerry.jobs;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.NamedDatatype;
import io.skerry.StorageInfo;
import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.type.StringType;
import io.skerry.collective.CollectiveException;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Prints the tree of a file, one line per object, link or attribute. */
final class TreeListing {
  private final H5File file;
  private final PrintWriter out;
  private final Set<Long> shown = new HashSet<>();

  TreeListing(H5File file, PrintWriter out) {
    this.file = file;
    this.out = out;
  }

  void print() {
    out.println("/");
    members(file.root(), 1);
  }

  private void members(Group group, int depth) {
    attributes(group, depth);
    for (Group.Link link : orReason(group::links, List.<Group.Link>of(), depth)) {
      switch (link) {
        case Group.Hard hard -> object(group, hard, depth);
        case Group.Soft(String name, String target) ->
            line(depth, name, "soft link to " + target);
        case Group.External(String name, String other, String target) ->
            line(depth, name, "external link to " + other + ":" + target);
        case Group.Foreign(String name, int kind) ->
            line(depth, name, "user-defined link of type " + kind);
      }
    }
  }

  private void object(Group group, Group.Hard link, int depth) {
    if (!shown.add(link.address())) {
      line(depth, link.name(), "another link to an object shown above");
      return;
    }
    H5Object object;
    try {
      object = group.child(link);
    } catch (UnsupportedFeatureException | FormatException e) {
      line(depth, link.name(), String.valueOf(e.getMessage()));
      return;
    }
    switch (object) {
      case Group inner -> {
        line(depth, link.name() + "/", "");
        members(inner, depth + 1);
      }
      case Dataset dataset -> {
        line(depth, link.name(), describe(dataset));
        attributes(dataset, depth + 1);
      }
      case NamedDatatype type -> line(depth, link.name(), "type " + type.datatype());
    }
  }

  private static String describe(Dataset dataset) {
    StorageInfo storage = dataset.storage();
    StringBuilder text = new StringBuilder();
    text.append(dataset.shape()).append(' ').append(dataset.datatype());
    text.append("  ").append(storage.layout());
    if (!storage.chunk().isEmpty()) {
      text.append(' ')
          .append(storage.chunk().stream().map(String::valueOf).collect(Collectors.joining("x")));
      text.append(" by ").append(storage.index());
    }
    storage.filters().forEach(filter -> text.append("  ").append(filter));
    if (dataset.isSparse()) {
      text.append("  ").append(definedCount(dataset));
    }
    return text.toString();
  }

  private static String definedCount(Dataset dataset) {
    try {
      long defined = dataset.defined(Selection.all()).count(dataset.shape());
      return String.format(Locale.ROOT, "%,d defined", defined);
    } catch (CollectiveException e) {
      return "defined elements unknown: " + e.reason();
    }
  }

  private void attributes(H5Object object, int depth) {
    for (Attribute attribute : orReason(object::attributes, List.<Attribute>of(), depth)) {
      line(depth, "@" + attribute.name(), value(attribute));
    }
  }

  private static String value(Attribute attribute) {
    if (attribute.datatype() instanceof StringType && attribute.shape().elements() == 1) {
      return "\"" + attribute.text() + "\"";
    }
    return attribute.shape() + " " + attribute.datatype();
  }

  /** A part of the file that cannot be read does not hide the rest. */
  private <T> T orReason(Supplier<T> read, T otherwise, int depth) {
    try {
      return read.get();
    } catch (UnsupportedFeatureException | FormatException e) {
      line(depth, "?", String.valueOf(e.getMessage()));
      return otherwise;
    }
  }

  private void line(int depth, String name, String text) {
    String left = "  ".repeat(depth) + name;
    out.println(text.isEmpty() ? left : String.format(Locale.ROOT, "%-28s  %s", left, text));
  }
}
