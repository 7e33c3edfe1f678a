package io.skerry.integration.crash;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.datatype.VariableLength;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Renders the content of a file as lines of text; equal content gives equal text. */
final class ContentText {
  private final TreeSet<String> lines = new TreeSet<>();

  void link(String path, String target) {
    lines.add(path + " -> " + target);
  }

  void group(String path, Map<String, String> attributes) {
    lines.add(path + " group " + attributes);
  }

  void unreadable(String path) {
    lines.add(path + " sparse");
  }

  void dataset(
      String path, int rows, int[] values, String defined, Map<String, String> attributes) {
    lines.add(path + " rows=" + rows + " " + Arrays.toString(values) + " " + defined + attributes);
  }

  String text() {
    return String.join("\n", lines);
  }

  /** Returns the text of a file without the values of the {@code loose} kinds. */
  static String of(H5File file, Set<StorageKind> loose) {
    ContentText rendering = new ContentText();
    rendering.group("/", attributes(file, file.root()));
    rendering.walk(file, file.root(), loose);
    return rendering.text();
  }

  private void walk(H5File file, Group group, Set<StorageKind> loose) {
    for (Group.Link link : group.links()) {
      String path = group.childPath(link.name());
      switch (link) {
        case Group.Soft soft -> link(path, soft.target());
        case Group.Hard hard -> {
          switch (group.child(hard)) {
            case Group child -> {
              group(path, attributes(file, child));
              walk(file, child, loose);
            }
            case Dataset dataset -> dataset(file, path, dataset, loose);
            case H5Object other -> lines.add(path + " is " + other);
          }
        }
        default -> lines.add(path + " is " + link);
      }
    }
  }

  private void dataset(H5File file, String path, Dataset dataset, Set<StorageKind> loose) {
    StorageKind kind = StorageKind.of(path);
    int rows = (int) dataset.shape().extent(0);
    int[] values = loose.contains(kind) || rows == 0 ? new int[0] : kind.read(dataset);
    String defined = kind.isSparse() ? defined(dataset) : "";
    dataset(path, rows, values, defined, attributes(file, dataset));
  }

  /** Collects the paths of datasets below a group. */
  static void paths(Group group, Set<String> paths) {
    for (Group.Link link : group.links()) {
      if (link instanceof Group.Hard hard) {
        switch (group.child(hard)) {
          case Group child -> paths(child, paths);
          case H5Object other -> paths.add(other.path());
        }
      }
    }
  }

  private static String defined(Dataset dataset) {
    BitSet defined = new BitSet();
    long[] found = dataset.defined(Selection.all()).toCoordinates(dataset.shape());
    for (int i = 0; i < found.length; i += 2) {
      defined.set((int) found[i] * StorageKind.COLUMNS + (int) found[i + 1]);
    }
    return defined.toString();
  }

  private static Map<String, String> attributes(H5File file, H5Object object) {
    Map<String, String> attributes = new TreeMap<>();
    for (Attribute attribute : object.attributes()) {
      attributes.put(
          attribute.name(),
          attribute.datatype() instanceof VariableLength
              ? ((Value.Text) attribute.values(file.contents()).getFirst()).value()
              : Long.toString(attribute.longs()[0]));
    }
    return attributes;
  }
}
