package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.ByteSource;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the format of new objects, and changes of old-style groups. */
class FormatBoundsTest {
  @TempDir Path folder;

  private static H5File create(Path path, Communicator world, FormatBounds bounds) {
    return H5File.create(path, world, FileOptions.standard().withBounds(bounds));
  }

  /** A file in memory. */
  private record Loaded(String name, MemorySegment bytes) implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      return bytes.asSlice(address, length);
    }

    @Override
    public long size() {
      return bytes.byteSize();
    }
  }

  private static FormatFile format(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    return FormatFile.open(new Loaded(path.toString(), MemorySegment.ofArray(bytes)));
  }

  private static ObjectHeader header(FormatFile format, String name) {
    if (format.link(format.root(), name).orElseThrow().target()
        instanceof LinkTarget.Hard(long address)) {
      return format.header(address);
    }
    throw new AssertionError("not a hard link: " + name);
  }

  private static List<Verification.Finding> findings(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    Verification.of(path, findings::add);
    return findings;
  }

  @Test
  void the_earliest_file_begins_with_superblock_0_and_a_root_entry() throws IOException {
    Path path = folder.resolve("empty.h5");
    create(path, Communicator.self(), FormatBounds.EARLIEST).close();
    byte[] bytes = Files.readAllBytes(path);
    String expected =
        """
        894844460d0a1a0a 00 00 00 00 00 08 08 00 0400 1000 00000000
        0000000000000000 ffffffffffffffff d003000000000000 ffffffffffffffff
        0000000000000000 a002000000000000 01000000 00000000 6000000000000000 8002000000000000
        """;
    assertEquals(expected.replaceAll("\\s", ""), HexFormat.of().formatHex(bytes, 0, 96));
    assertEquals(0x3d0, bytes.length);
    assertEquals("5452454500000000", HexFormat.of().formatHex(bytes, 0x60, 0x68));
    assertEquals("4845415000000000", HexFormat.of().formatHex(bytes, 0x280, 0x288));
    String header = "01000200 01000000 18010000 00000000 1100100000000000";
    assertEquals(header.replace(" ", ""), HexFormat.of().formatHex(bytes, 0x2a0, 0x2b8));
    assertEquals(List.of(), findings(path));
  }

  @ParameterizedTest
  @EnumSource
  void objects_have_the_requested_form(FormatBounds bounds) throws IOException {
    Path path = folder.resolve("forms.h5");
    try (H5File file = create(path, Communicator.self(), bounds)) {
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(9).unlimited(0));
      file.createDataset("/chunked", spec.chunked(2).fillValue(new byte[] {1, 0, 0, 0}))
          .write(Selection.all(), new int[9]);
      file.createDataset("/filtered", spec.chunked(2).filters(Filters.deflate(1)))
          .write(Selection.all(), new int[9]);
      file.createDataset("/sparse", spec.sparse(3)).write(Selection.at(4), new int[] {5});
      file.createGroup("/group");
      file.createGroup("/ordered", LinkOrder.TRACKED);
      file.createDatatype("/type", Datatype.F32);
    }
    FormatFile format = format(path);
    boolean earliest = bounds == FormatBounds.EARLIEST;
    assertEquals(earliest ? 0 : 3, format.superblock().version());
    LayoutForm chunked =
        switch (bounds) {
          case EARLIEST -> LayoutForm.VERSION_3;
          case V110 -> LayoutForm.VERSION_4;
          case V200 -> LayoutForm.VERSION_5;
        };
    Map<String, LayoutForm> layouts =
        Map.of("chunked", chunked, "filtered", chunked, "sparse", LayoutForm.SPARSE);
    layouts.forEach((name, form) -> {
      ChunkedLayout layout = (ChunkedLayout) header(format, name).require(LayoutMessage.class);
      assertEquals(form, layout.form());
      assertEquals(
          bounds == FormatBounds.V200 && form != LayoutForm.SPARSE ? 8 : 2, layout.sizeWidth());
    });
    for (String name : List.of("chunked", "filtered", "sparse", "group", "ordered", "type")) {
      assertEquals(earliest ? 1 : 2, header(format, name).prefix().version(), name);
    }
    assertEquals(earliest, header(format, "chunked").has(OldFillValueMessage.class));
    assertEquals(earliest, header(format, "group").has(SymbolTableMessage.class));
    assertFalse(header(format, "ordered").has(SymbolTableMessage.class));
    assertEquals(List.of(), findings(path));
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      assertArrayEquals(new int[] {5}, file.dataset("/sparse").readInts(Selection.at(4)));
      file.createGroup("/later");
      file.createDataset("/late", DatasetSpec.of(Datatype.I8, Shape.of(4)).chunked(2));
    }
    assertEquals(earliest ? 1 : 2, header(format(path), "later").prefix().version());
    LayoutMessage late = header(format(path), "late").require(LayoutMessage.class);
    assertEquals(earliest, ((ChunkedLayout) late).form() == LayoutForm.VERSION_3);
  }

  @Test
  void a_group_converts_to_link_messages_if_its_symbol_table_cannot_represent_a_link()
      throws IOException {
    for (String kind : List.of("external", "name", "root")) {
      for (int links : new int[] {0, 3, 8, 9, 40}) {
        Path path = folder.resolve(kind + links + ".h5");
        String group = kind.equals("root") ? "/" : "/group/";
        try (H5File file = create(path, Communicator.self(), FormatBounds.EARLIEST)) {
          file.createGroup("/group");
          for (int i = 0; i < links; i++) {
            file.createSoftLink(group + "s" + i, "/x");
          }
          if (links % 2 == 0) {
            file.flush();
          }
          if (kind.equals("name")) {
            file.createSoftLink(group + "größe", "/x");
          } else {
            file.createExternalLink(group + "far", "other.h5", "/x");
          }
        }
        FormatFile format = format(path);
        ObjectHeader changed = kind.equals("root") ? format.root() : header(format, "group");
        assertTrue(changed.has(LinkInfoMessage.class), kind);
        assertFalse(changed.has(SymbolTableMessage.class), kind);
        assertEquals(1, changed.prefix().version());
        long count = links + 1L + (kind.equals("root") ? 1 : 0);
        assertEquals(count, format.links(changed).size());
        assertEquals(
            !kind.equals("root"),
            format.superblock().early().orElseThrow().root().group().isPresent());
        assertEquals(List.of(), findings(path));
      }
    }
  }

  @Test
  void an_attribute_too_large_for_an_early_header_is_refused_and_nothing_is_lost() {
    Path path = folder.resolve("large.h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = create(path, world, FormatBounds.EARLIEST)) {
            Group root = file.root();
            root.setAttribute(Attribute.of("small", 1));
            CollectiveException refused =
                assertThrows(
                    CollectiveException.class,
                    () -> root.setAttribute(Attribute.of("large", new long[9000])));
            assertTrue(refused.getCause() instanceof UnsupportedFeatureException);
            assertTrue(refused.getMessage().contains("attribute=large bytes=72000"));
            for (int i = 0; i < 300; i++) {
              root.setAttribute(Attribute.of("a" + i, "text " + i));
            }
          }
        });
    try (H5File file = H5File.open(path)) {
      assertEquals(301, file.root().attributes().size());
      assertEquals("text 299", file.root().attribute("a299").orElseThrow().text());
    }
    assertEquals(List.of(), findings(path));
  }

  @Test
  void a_group_with_names_that_are_not_utf_8_keeps_them_when_it_changes() throws IOException {
    Path path = folder.resolve("latin.h5");
    try (H5File file = create(path, Communicator.self(), FormatBounds.EARLIEST)) {
      file.createGroup("/group");
      file.createSoftLink("/group/caf#", "/x#");
    }
    String text = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
    Files.writeString(
        path,
        text.replace("caf#", "caf\u00e9").replace("/x#", "/x\u00e8"),
        StandardCharsets.ISO_8859_1);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      file.createGroup("/group/more");
      file.unlink("/group/more");
      file.createGroup("/group/a");
    }
    byte[] changed = Files.readAllBytes(path);
    String again = new String(changed, StandardCharsets.ISO_8859_1);
    assertTrue(again.contains("caf\u00e9\0") && again.contains("/x\u00e8\0"), again);
    try (H5File file = H5File.open(path)) {
      assertEquals(
          List.of("a", "caf\udce9"),
          file.group("/group").links().stream().map(link -> link.name()).toList());
    }
    assertEquals(List.of(), findings(path));
  }

  /** Adds, removes and moves random links on all ranks, and compares them with a map. */
  private void play(Path path, long seed, int ranks, Map<String, Long> expected) {
    LocalRanks.run(
        ranks,
        world -> {
          Random random = new Random(seed);
          TreeMap<String, Long> model = new TreeMap<>();
          H5File file = create(path, world, FormatBounds.EARLIEST);
          for (String group : List.of("/a", "/b", "/b/c")) {
            file.createGroup(group);
          }
          file.createDataset("/d", DatasetSpec.of(Datatype.I8, Shape.of(1)));
          TreeMap<String, Long> flushed = new TreeMap<>(model);
          for (int step = 0; step < 1500; step++) {
            String name =
                List.of("/a", "/b", "/b/c").get(random.nextInt(3)) + "/" + random.nextInt(400);
            if (random.nextInt(300) == 0) {
              file.flush();
              flushed = new TreeMap<>(model);
            } else if (random.nextInt(400) == 0 && step > 20) {
              file.flush();
              file.close();
              flushed = new TreeMap<>(model);
              file = H5File.openForWriting(path, world);
            } else if (random.nextInt(500) == 0 && !flushed.isEmpty()) {
              file.discard();
              model = new TreeMap<>(flushed);
              file = H5File.openForWriting(path, world);
            } else if (!model.containsKey(name)) {
              model.put(name, (long) step);
              if (step % 3 == 0) {
                file.createHardLink(name, "/d");
              } else {
                file.createSoftLink(name, "/" + step);
              }
            } else if (random.nextInt(3) == 0) {
              String other = name + "m";
              if (!model.containsKey(other)) {
                file.move(name, other);
                model.put(other, model.remove(name));
              }
            } else {
              file.unlink(name);
              model.remove(name);
            }
          }
          file.close();
          if (world.rank() == 0) {
            expected.putAll(model);
          }
        });
  }

  @Test
  void random_changes_of_symbol_tables_agree_with_a_map() {
    // One seed per number of ranks; two if thorough.
    int seeds = Boolean.getBoolean("skerry.thorough") ? 6 : 3;
    for (int seed = 0; seed < seeds; seed++) {
      Path path = folder.resolve("random" + seed + ".h5");
      TreeMap<String, Long> expected = new TreeMap<>();
      play(path, seed, 1 + seed % 3, expected);
      assertEquals(List.of(), findings(path), "seed " + seed);
      TreeMap<String, Long> actual = new TreeMap<>();
      try (H5File file = H5File.open(path)) {
        for (String group : List.of("/a", "/b", "/b/c")) {
          for (Group.Link link : file.group(group).links()) {
            if (link instanceof Group.Soft(String name, String target)) {
              actual.put(group + "/" + name, Long.valueOf(target.substring(1)));
            } else if (!link.name().equals("c")) {
              String path2 = group + "/" + link.name();
              actual.put(path2, expected.getOrDefault(path2, -1L));
              assertEquals(0, actual.get(path2) % 3, path2);
            }
          }
        }
      }
      assertEquals(expected, actual, "seed " + seed);
    }
  }

  @Test
  void rewriting_a_symbol_table_repeatedly_takes_no_more_space() {
    Path path = folder.resolve("space.h5");
    List<Long> sizes = new ArrayList<>();
    try (H5File file = create(path, Communicator.self(), FormatBounds.EARLIEST)) {
      for (int i = 0; i < 500; i++) {
        file.createSoftLink("/g/" + i, "/x");
      }
      for (int round = 0; round < 40; round++) {
        file.flush();
        sizes.add(file.size());
        file.unlink("/g/" + round);
        file.createSoftLink("/g/" + round, "/y");
      }
      file.unlink("/g");
      file.flush();
      file.createGroup("/g");
    }
    assertEquals(sizes.get(2), sizes.getLast(), "sizes " + sizes);
    assertEquals(List.of(), findings(path));
  }

  @Test
  void ranks_that_request_different_forms_are_refused() {
    LocalRanks.run(
        2,
        world -> {
          FormatBounds mine = world.rank() == 0 ? FormatBounds.EARLIEST : FormatBounds.V200;
          assertThrows(
              CollectiveException.class, () -> create(folder.resolve("x.h5"), world, mine));
        });
  }
}
