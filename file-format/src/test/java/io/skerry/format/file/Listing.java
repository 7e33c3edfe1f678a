package io.skerry.format.file;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Interpreter;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Lists the content of a file, one line per link and attribute, by this module or by h5py. The
 * lines begin with H for a hard, S for a soft, E for an external and U for a user-defined link, A
 * for an attribute, D for a dataset, ! for an object and ? for attributes that cannot be read, X
 * for a file that cannot be read.
 */
final class Listing {
  /** Detail of the listing of attributes and datasets. */
  enum Detail {
    /** Names only. */
    NAMES,
    /** Attributes with their values, datasets with extent and datatype. */
    VALUES,
    /** As {@link #VALUES}, for a damaged file, in which lookup by name may fail. */
    DAMAGED
  }

  private static final String ORACLE =
      """
      import h5py, numpy as np, os, sys
      from h5py import h5a, h5g, h5l, h5o

      def text(raw):
          return raw.decode('utf-8', 'replace').replace('\\n', '\\\\n')

      def values(o, name):
          if len(sys.argv) < 3:
              return []
          a = h5a.open(o, name)
          kind = a.get_type()
          data = np.zeros(a.shape, 'V%d' % kind.get_size())
          a.read(data, mtype=kind)
          return [a.shape, kind.committed(), data.tobytes().hex()]

      def attributes(o, path):
          names = []
          try:
              h5a.iterate(o, lambda name, *_: names.append(name))
          except Exception as e:
              print('?', text(path))
              return
          for name in sorted(names):
              print('A', text(path + b'@' + name), *values(o, name))

      def walk(group, path, seen):
          names = []
          group.links.iterate(lambda name: names.append(name))
          for name in sorted(names):
              info = group.links.get_info(name)
              child = path + b'/' + name
              if info.type == h5l.TYPE_SOFT:
                  print('S', text(child), text(group.links.get_val(name)))
              elif info.type == h5l.TYPE_EXTERNAL:
                  print('E', text(child), *[text(v) for v in group.links.get_val(name)])
              elif info.type != h5l.TYPE_HARD:
                  print('U', text(child), info.type)
              else:
                  print('H', text(child))
                  try:
                      o = h5o.open(group, name)
                      at = h5o.get_info(o).addr
                  except Exception:
                      print('!', text(child))
                      continue
                  if at not in seen:
                      seen.add(at)
                      attributes(o, child)
                      if isinstance(o, h5py.h5d.DatasetID) and len(sys.argv) > 2:
                          kind = o.get_type()
                          print('D', o.shape, kind.get_size(), kind.committed())
                      if isinstance(o, h5g.GroupID):
                          walk(o, child, seen)

      for folder, _, names in sorted(os.walk(sys.argv[1])):
          for name in sorted(names):
              path = os.path.join(folder, name)
              print('F', path)
              try:
                  root = h5g.open(h5py.h5f.open(path.encode(), h5py.h5f.ACC_RDONLY), b'/')
                  attributes(root, b'')
                  walk(root, b'', {h5o.get_info(root).addr})
              except Exception as e:
                  print('X', str(e).replace('\\n', ' '))
      """;

  private final FormatFile file;
  private final Detail detail;
  private final List<String> lines = new ArrayList<>();
  private final Set<Long> seen = new HashSet<>();

  private Listing(FormatFile file, Detail detail) {
    this.file = file;
    this.detail = detail;
  }

  /** Lists all files of a folder by h5py. */
  static Map<Path, List<String>> byOracle(
      Interpreter python, Path scratch, Path folder, Detail detail) throws IOException {
    Map<Path, List<String>> files = new LinkedHashMap<>();
    List<String> current = new ArrayList<>();
    String printed =
        detail != Detail.NAMES
            ? python.run(scratch, ORACLE, folder, "values")
            : python.run(scratch, ORACLE, folder);
    for (String line : printed.split("\n", -1)) {
      if (line.startsWith("F ")) {
        current = new ArrayList<>();
        files.put(Path.of(line.substring(2)), current);
      } else if (!line.isEmpty()) {
        current.add(line);
      }
    }
    return files;
  }

  /** Lists a file by this module. */
  static List<String> of(Path path, Detail detail) {
    return of(FormatFile.open(MemoryFile.load(path)), detail);
  }

  /** Lists a file by this module. */
  static List<String> of(FormatFile file, Detail detail) {
    Listing listing = new Listing(file, detail);
    ObjectHeader root = file.root();
    listing.seen.add(root.address());
    listing.attributes(root, "");
    listing.walk(root, "");
    return listing.lines;
  }

  private void attributes(ObjectHeader object, String path) {
    try {
      file.attributes(object).stream()
          .sorted(Comparator.comparing(a -> utf8(a.name()), Arrays::compareUnsigned))
          .forEach(a -> lines.add("A " + shown(path + "@" + a.name()) + values(a)));
    } catch (FormatException e) {
      lines.add("? " + path);
    }
  }

  private String values(AttributeMessage attribute) {
    return detail == Detail.NAMES
        ? ""
        : " "
            + extent(attribute.dataspace())
            + isCommitted(attribute.sharedType())
            + " "
            + attribute.data();
  }

  private static String isCommitted(Optional<SharedReference> reference) {
    return reference.filter(SharedReference.Committed.class::isInstance).isPresent()
        ? "True"
        : "False";
  }

  private static String extent(DataspaceMessage space) {
    String comma =
        IntStream.range(0, space.shape().rank())
            .mapToObj(i -> String.valueOf(space.shape().extent(i)))
            .collect(Collectors.joining(", "));
    return "(" + comma + (space.shape().rank() == 1 ? "," : "") + ") ";
  }

  private void walk(ObjectHeader group, String path) {
    List<LinkMessage> links = new ArrayList<>(file.links(group));
    links.sort(Comparator.comparing(link -> utf8(link.name()), Arrays::compareUnsigned));
    for (LinkMessage link : links) {
      boolean found = file.link(group, link.name()).equals(Optional.of(link));
      if (!found && detail != Detail.DAMAGED) {
        throw new AssertionError("not found by name: " + path + "/" + link.name());
      }
      follow(link, path + "/" + link.name());
    }
    if (file.link(group, "no such link").isPresent() && detail != Detail.DAMAGED) {
      throw new AssertionError("found what is not there: " + path);
    }
  }

  private void follow(LinkMessage link, String child) {
    switch (link.target()) {
      case LinkTarget.Soft(String target) -> lines.add("S " + shown(child) + " " + shown(target));
      case LinkTarget.External(String name, String target) ->
          lines.add("E " + shown(child) + " " + shown(name) + " " + shown(target));
      case LinkTarget.UserDefined(int kind, _) -> lines.add("U " + shown(child) + " " + kind);
      case LinkTarget.Hard(long address) -> {
        lines.add("H " + shown(child));
        object(address, child);
      }
    }
  }

  private void object(long address, String path) {
    ObjectHeader object;
    try {
      object = file.header(address);
    } catch (FormatException | UnsupportedFeatureException e) {
      lines.add("! " + path);
      return;
    }
    if (seen.add(address)) {
      attributes(object, path);
      if (detail != Detail.NAMES && object.has(LayoutMessage.class)) {
        lines.add(
            "D "
                + extent(object.require(DataspaceMessage.class))
                + object.require(DatatypeMessage.class).elementSize()
                + " "
                + isCommitted(object.sharedReference(DatatypeMessage.class)));
      }
      walk(object, path);
    }
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static String shown(String text) {
    return text.replace("\n", "\\n");
  }
}
