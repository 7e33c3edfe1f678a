package io.skerry.format.dense;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes dense links, changes them with both HDF5 libraries, and reads them again. */
class DenseLinksWriteTest extends DenseFiles {
  private static final int ROUNDS = Boolean.getBoolean("skerry.thorough") ? 4 : 2;

  private static String target(int i) {
    return "/t" + "x".repeat(i % 97 == 5 ? 5000 + i % 1000 : i % 50);
  }

  private LinkMessage link(int i) {
    String name = "lïnk %06d".formatted(i);
    return switch (i % 4) {
      case 0 -> LinkMessage.of(name, new LinkTarget.External("f" + i + ".h5", target(i)));
      case 1 ->
          i < 40
              ? LinkMessage.of(name, new LinkTarget.Hard(emptyGroup()))
              : LinkMessage.of(name, new LinkTarget.Soft(target(i)));
      default -> LinkMessage.of(name, new LinkTarget.Soft(target(i)));
    };
  }

  private static final String CHECK_LINKS =
      """
      import sys, h5py
      def target(i): return '/t' + 'x' * (5000 + i % 1000 if i % 97 == 5 else i % 50)
      def check(f, numbers):
          assert set(f.keys()) == set('lïnk %06d' % i for i in numbers), len(f.keys())
          for i in numbers:
              l = f.get('lïnk %06d' % i, getlink=True)
              if i % 4 == 0: assert l.filename == 'f%d.h5' % i and l.path == target(i)
              elif i % 4 == 1 and i < 40: assert len(f['lïnk %06d' % i]) == 0
              else: assert l.path == target(i), i
      """;

  @ParameterizedTest
  @CsvSource({
    "0, 1, UNTRACKED",
    "1, 9, INDEXED",
    "0, 46, TRACKED",
    "1, 100, INDEXED",
    "1, 2000, UNTRACKED",
    "0, 5000, INDEXED"
  })
  void links_are_read_and_changed_by_both_libraries_and_read_again(
      int number, int count, Order order) throws IOException {
    for (Interpreter python : Interpreter.inTurn(number)) {
      links(count, order, python);
    }
  }

  private void links(int count, Order order, Interpreter python) throws IOException {
    List<LinkMessage> links = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      links.add(link(i));
    }
    var made = DenseLinksEditor.create(Widths.EIGHT, order.links(), links, allocator).commit();
    write(made.images());
    Path path =
        save(header(AttributeOrder.UNTRACKED, List.of(made.info(), GroupInfoMessage.defaults())));
    String inOrder = order == Order.INDEXED ? "assert list(f.keys()) == sorted(f.keys())\n" : "";
    python.run(
        directory,
        CHECK_LINKS
            + """
            n = int(sys.argv[2])
            with h5py.File(sys.argv[1], 'r') as f: check(f, range(n))
            with h5py.File(sys.argv[1], 'r', track_order=True) as f:
            """
            + "    "
            + (inOrder.isEmpty() ? "pass\n" : inOrder)
            + """
            with h5py.File(sys.argv[1], 'r+', libver='latest') as f:
                for i in range(n, n + 300): f['lïnk %06d' % i] = (
                    h5py.ExternalLink('f%d.h5' % i, target(i)) if i % 4 == 0
                    else f.create_group(None) if i % 4 == 1 and i < 40 else h5py.SoftLink(target(i)))
                for i in range(0, n + 300, 3): del f['lïnk %06d' % i]
            with h5py.File(sys.argv[1], 'r') as f: check(f, [i for i in range(n + 300) if i % 3])
            """,
        path,
        count);
    dump(path);
    TestFile changed = TestFile.open(path);
    DenseLinks read =
        DenseLinks.open(
            changed.source(), Widths.EIGHT, changed.root().require(LinkInfoMessage.class));
    TreeMap<String, LinkTarget> found = new TreeMap<>();
    read.all().forEach(link -> found.put(link.name(), link.target()));
    assertEquals((count + 300) / 3 * 2 + (count + 300) % 3 / 2, found.size());
    disjoint(read.blocks(), changed.source().size());
    python.run(
        directory,
        """
        import sys, h5py
        with h5py.File(sys.argv[1], 'r+', libver='latest') as f:
            for n in list(f.keys()): del f[n]
            assert len(f) == 0
        with h5py.File(sys.argv[1], 'r+', libver='latest') as f:
            for i in range(70): f['again %d' % i] = h5py.SoftLink('/x')
        with h5py.File(sys.argv[1], 'r') as f: assert len(f) == 70 and 'again 69' in f.keys()
        """,
        path);
  }

  @Test
  void a_changed_filtered_group_is_readable_by_the_library() throws IOException {
    Optional<Interpreter> found =
        Interpreter.all().stream().filter(p -> p.command().startsWith("/usr/bin")).findAny();
    assumeTrue(found.isPresent(), "no Python with a shared HDF5 library");
    Path path = directory.resolve("filtered.h5");
    found
        .get()
        .run(
            directory,
            """
            import sys, ctypes, h5py
            f = h5py.File(sys.argv[1], 'w', libver='latest')
            lib = ctypes.CDLL('libhdf5_serial.so.103')
            p = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
            assert lib.H5Pset_deflate(ctypes.c_int64(p.id), 6) >= 0
            g = h5py.Group(h5py.h5g.create(f.id, b'g', gcpl=p))
            for i in range(300): g['link %d' % i] = h5py.SoftLink('y' * (i * 17 + 1))
            f.close()
            """,
            path);
    MemoryFile raw = MemoryFile.load(path);
    TestFile before = TestFile.open(raw);
    ObjectHeader group = before.object("g");
    LinkInfoMessage info = group.require(LinkInfoMessage.class);
    SpaceAllocator space = SpaceAllocator.startingAt(before.superblock().endOfFile());
    DenseLinksEditor editor = DenseLinksEditor.open(raw, Widths.EIGHT, info, space);
    for (int i = 0; i < 300; i += 2) {
      assertTrue(editor.remove("link " + i).isPresent());
    }
    for (int i = 300; i < 600; i++) {
      editor.add(LinkMessage.of("link " + i, new LinkTarget.Soft("y".repeat(i * 17 + 1))));
    }
    var commit = editor.commit();
    commit.images().forEach(raw::write);
    replaceInfo(raw, before, group, info, commit.info(), space);
    raw.save(path);
    for (Interpreter python : Interpreter.all()) {
      python.run(
          directory,
          """
          import sys, h5py
          f = h5py.File(sys.argv[1], 'r')
          want = [i for i in range(600) if i >= 300 or i % 2]
          assert len(f['g']) == len(want)
          for i in want: assert f['g'].get('link %d' % i, getlink=True).path == 'y' * (i * 17 + 1)
          """,
          path);
    }
    disjoint(
        DenseLinks.open(MemoryFile.load(path), Widths.EIGHT, commit.info()).blocks(), raw.size());
  }

  /** Changes links alternately with this module and with both libraries. */
  @ParameterizedTest
  @EnumSource
  void links_are_changed_in_turns(Order order) throws IOException {
    Interpreter python = Interpreter.all().get(0);
    var made = DenseLinksEditor.create(Widths.EIGHT, order.links(), List.of(), allocator).commit();
    write(made.images());
    Path path =
        save(header(AttributeOrder.UNTRACKED, List.of(made.info(), GroupInfoMessage.defaults())));
    TreeMap<String, String> model = new TreeMap<>();
    Random random = new Random(3);
    for (int round = 0; round < ROUNDS; round++) {
      change(path, model, random, round);
      String printed =
          python.run(
              directory,
              """
              import sys, h5py
              with h5py.File(sys.argv[1], 'r+', libver='latest') as f:
                  names = sorted(f.keys())
                  for n in names[::4]: del f[n]
                  for i in range(150): f['py %s %d' % (sys.argv[2], i)] = h5py.SoftLink('p' * (i * 40 + 1))
                  for n in sorted(f.keys()): print(n, f.get(n, getlink=True).path)
              """,
              path,
              round);
      model.clear();
      for (String line : printed.strip().split("\n")) {
        int space = line.lastIndexOf(' ');
        model.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    change(path, model, random, 9);
  }

  private void change(Path path, TreeMap<String, String> model, Random random, int round)
      throws IOException {
    MemoryFile raw = MemoryFile.load(path);
    TestFile before = TestFile.open(raw);
    SpaceAllocator space = SpaceAllocator.startingAt(before.superblock().endOfFile());
    LinkInfoMessage info = before.root().require(LinkInfoMessage.class);
    DenseLinksEditor editor = DenseLinksEditor.open(raw, Widths.EIGHT, info, space);
    assertEquals(model.size(), editor.size());
    for (Map.Entry<String, String> entry : List.copyOf(model.entrySet())) {
      LinkMessage link = editor.find(entry.getKey()).orElseThrow();
      assertEquals(new LinkTarget.Soft(entry.getValue()), link.target());
      if (random.nextInt(3) == 0) {
        assertEquals(link, editor.remove(entry.getKey()).orElseThrow());
        model.remove(entry.getKey());
      }
    }
    for (int i = 0; i < 200; i++) {
      String name = "skerry " + round + " " + i;
      String target = "s".repeat(1 + random.nextInt(i % 10 == 0 ? 6000 : 100));
      editor.add(LinkMessage.of(name, new LinkTarget.Soft(target)));
      model.put(name, target);
    }
    assertFalse(editor.remove("absent").isPresent());
    LinkMessage twice = LinkMessage.of("skerry " + round + " 0", new LinkTarget.Soft("x"));
    assertThrows(IllegalArgumentException.class, () -> editor.add(twice));
    var commit = editor.commit();
    assertEquals(info.heapAddress(), commit.info().heapAddress());
    commit.images().forEach(raw::write);
    replaceInfo(raw, before, before.root(), info, commit.info(), space);
    raw.save(path);
    TestFile after = TestFile.open(path);
    DenseLinks links =
        DenseLinks.open(after.source(), Widths.EIGHT, after.root().require(LinkInfoMessage.class));
    TreeMap<String, String> found = new TreeMap<>();
    for (LinkMessage link : links.all()) {
      found.put(link.name(), ((LinkTarget.Soft) link.target()).path());
    }
    assertEquals(model, found);
    links.inCreationOrder().ifPresent(all -> assertEquals(model.size(), all.size()));
    disjoint(links.blocks(), after.source().size());
  }
}
