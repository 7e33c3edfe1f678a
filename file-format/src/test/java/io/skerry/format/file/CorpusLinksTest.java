package io.skerry.format.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.format.Interpreter;
import io.skerry.format.MemoryFile;
import io.skerry.format.SharedData;
import io.skerry.format.object.AttributeMessage;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.object.LinkTarget;
import io.skerry.format.object.ObjectHeader;
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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links and attributes of the HDF5 library's own test files are those that h5py lists. */
class CorpusLinksTest {
  private static final String ORACLE =
      """
      import h5py, os, sys
      from h5py import h5a, h5g, h5l, h5o

      def text(raw):
          return raw.decode('utf-8', 'replace').replace('\\n', '\\\\n')

      def attributes(o, path):
          names = []
          try:
              h5a.iterate(o, lambda name, *_: names.append(name))
          except Exception as e:
              print('?', text(path))
              return
          for name in sorted(names):
              print('A', text(path + b'@' + name))

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

  @TempDir Path directory;
  private final List<String> lines = new ArrayList<>();

  @Test
  void links_and_attribute_names_are_those_of_h5py() throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path corpus = SharedData.file("hdf5-corpus");
    int equal = 0;
    int compared = 0;
    List<String> refused = new ArrayList<>();
    for (Map.Entry<Path, List<String>> expected : oracle(corpus).entrySet()) {
      List<String> wanted = expected.getValue();
      if (wanted.stream().anyMatch(line -> line.startsWith("X "))) {
        continue;
      }
      lines.clear();
      String name = expected.getKey().getFileName().toString();
      try {
        list(expected.getKey());
      } catch (FormatException | UnsupportedFeatureException e) {
        refused.add(name + ": " + e.getMessage());
        continue;
      }
      List<String> doubted =
          wanted.stream().filter(line -> line.startsWith("! ") || line.startsWith("? ")).toList();
      compared += wanted.size();
      assertEquals(kept(wanted, doubted), kept(lines, doubted), name);
      equal++;
    }
    System.out.printf("oracle: %d files list %d lines as h5py does%n", equal, compared);
    assertEquals(List.of(), refused);
    assertTrue(equal > 200);
  }

  /** Without what h5py refuses to show: the attributes of an object, or what is below it too. */
  private static List<String> kept(List<String> all, List<String> doubted) {
    return all.stream()
        .filter(line -> doubted.stream().noneMatch(doubt -> isBelow(line, doubt)))
        .toList();
  }

  private static boolean isBelow(String line, String doubt) {
    String path = doubt.substring(2);
    return line.equals("! " + path)
        || line.equals("? " + path)
        || line.startsWith("A " + path + "@")
        || (doubt.startsWith("! ") && line.startsWith(path + "/", 2));
  }

  private Map<Path, List<String>> oracle(Path corpus) throws IOException {
    Map<Path, List<String>> files = new LinkedHashMap<>();
    List<String> current = new ArrayList<>();
    for (String line : Interpreter.all().get(0).run(directory, ORACLE, corpus).split("\n", -1)) {
      if (line.startsWith("F ")) {
        current = new ArrayList<>();
        files.put(Path.of(line.substring(2)), current);
      } else if (!line.isEmpty()) {
        current.add(line);
      }
    }
    return files;
  }

  private void list(Path path) {
    FormatFile file = FormatFile.open(MemoryFile.load(path));
    Set<Long> seen = new HashSet<>();
    ObjectHeader root = file.root();
    seen.add(root.address());
    attributes(file, root, "");
    walk(file, root, "", seen);
  }

  private void attributes(FormatFile file, ObjectHeader object, String path) {
    try {
      file.attributes(object).stream()
          .map(AttributeMessage::name)
          .sorted(Comparator.comparing(CorpusLinksTest::utf8, Arrays::compareUnsigned))
          .forEach(name -> lines.add("A " + shown(path + "@" + name)));
    } catch (FormatException e) {
      lines.add("? " + path);
    }
  }

  private void walk(FormatFile file, ObjectHeader group, String path, Set<Long> seen) {
    List<LinkMessage> links = new ArrayList<>(file.links(group));
    links.sort(Comparator.comparing(link -> utf8(link.name()), Arrays::compareUnsigned));
    for (LinkMessage link : links) {
      String child = path + "/" + link.name();
      assertEquals(link, file.link(group, link.name()).orElseThrow());
      switch (link.target()) {
        case LinkTarget.Soft(String target) -> lines.add("S " + shown(child) + " " + shown(target));
        case LinkTarget.External(String name, String target) ->
            lines.add("E " + shown(child) + " " + shown(name) + " " + shown(target));
        case LinkTarget.UserDefined(int kind, _) -> lines.add("U " + shown(child) + " " + kind);
        case LinkTarget.Hard(long address) -> {
          lines.add("H " + shown(child));
          follow(file, address, child, seen);
        }
      }
    }
    assertTrue(file.link(group, "no such link").isEmpty());
  }

  private void follow(FormatFile file, long address, String child, Set<Long> seen) {
    ObjectHeader object;
    try {
      object = file.header(address);
    } catch (FormatException | UnsupportedFeatureException e) {
      lines.add("! " + child);
      return;
    }
    if (seen.add(address)) {
      attributes(file, object, child);
      walk(file, object, child, seen);
    }
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static String shown(String text) {
    return text.replace("\n", "\\n");
  }
}
