package io.skerry.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads objects of files that h5py creates during the test. */
class ReadForeignObjectsTest {
  @TempDir Path directory;

  static List<Interpreter> interpreters() {
    return Interpreter.all();
  }

  @BeforeAll
  static void needs_h5py() {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
  }

  @ParameterizedTest
  @MethodSource("interpreters")
  void groups_links_and_attributes_are_found(Interpreter python) throws IOException {
    Path file = directory.resolve("tree.h5");
    python.run(
        directory,
        """
        import sys, h5py, numpy as np
        f = h5py.File(sys.argv[1], 'w', libver='latest')
        g = f.create_group('a/b', track_order=True)
        f['soft'] = h5py.SoftLink('/a/b')
        f['ext'] = h5py.ExternalLink('other.h5', '/x/y')
        f['größe'] = np.arange(3, dtype='<i4')
        for i in range(8): f.attrs['n%d' % i] = np.full((2, 2), i, dtype='u2')
        g.attrs['text'] = 'häl'
        g.attrs.create('none', h5py.Empty('f4'))
        for i in range(7): f.create_group('a/g%d' % i)
        f.close()
        """,
        file);
    TestFile opened = TestFile.open(file);
    ObjectHeader root = opened.root();
    assertEquals(
        List.of("a", "ext", "größe", "soft"),
        root.all(LinkMessage.class).stream().map(LinkMessage::name).sorted().toList());
    for (LinkMessage link : root.all(LinkMessage.class)) {
      switch (link.target()) {
        case LinkTarget.Soft(String path) -> assertEquals("/a/b", path);
        case LinkTarget.External(String other, String path) ->
            assertEquals("other.h5/x/y", other + path);
        case LinkTarget.Hard _ -> {}
        case LinkTarget.UserDefined u -> throw new AssertionError(u);
      }
    }
    List<AttributeMessage> attributes = root.all(AttributeMessage.class);
    assertEquals(8, attributes.size());
    for (AttributeMessage attribute : attributes) {
      MemorySegment data = attribute.data().segment();
      assertEquals(attribute.name(), "n" + data.get(ValueLayout.JAVA_SHORT_UNALIGNED, 6));
      assertEquals("2x2", attribute.dataspace().shape().toString());
      FixedPoint type = (FixedPoint) attribute.datatype().datatype();
      assertEquals(Signedness.UNSIGNED, type.signedness());
    }
    ObjectHeader b = opened.object("a/b");
    assertEquals(
        DataspaceMessage.Kind.NULL,
        b.all(AttributeMessage.class).stream()
            .filter(a -> a.name().equals("none"))
            .findFirst()
            .orElseThrow()
            .dataspace()
            .kind());
    assertTrue(b.find(LinkInfoMessage.class).orElseThrow().nextCreationOrder().isPresent());
    assertEquals(8, opened.object("a").all(LinkMessage.class).size());
  }

  @ParameterizedTest
  @MethodSource("interpreters")
  void dense_storage_is_recognised(Interpreter python) throws IOException {
    Path file = directory.resolve("dense.h5");
    python.run(
        directory,
        """
        import sys, h5py, numpy as np
        f = h5py.File(sys.argv[1], 'w', libver='latest')
        for i in range(20):
            f.attrs['n%d' % i] = i
            f.create_group('g%d' % i)
        f.close()
        """,
        file);
    ObjectHeader root = TestFile.open(file).root();
    assertTrue(root.find(LinkInfoMessage.class).orElseThrow().isDense());
    assertTrue(root.find(AttributeInfoMessage.class).orElseThrow().isDense());
  }

  @ParameterizedTest
  @MethodSource("interpreters")
  void every_layout_class_is_decoded(Interpreter python) throws IOException {
    Path file = directory.resolve("layouts.h5");
    python.run(
        directory,
        """
        import sys, h5py, numpy as np
        f = h5py.File(sys.argv[1], 'w', libver='latest')
        f['contiguous'] = np.arange(5, dtype='>f8')
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_layout(h5py.h5d.COMPACT)
        h5py.h5d.create(f.id, b'compact', h5py.h5t.NATIVE_INT16,
                        h5py.h5s.create_simple((3,)), p).write(h5py.h5s.ALL, h5py.h5s.ALL,
                        np.array([1, 2, 3], dtype='i2'))
        f.create_dataset('tree', shape=(4, 4), maxshape=(None, None), chunks=(2, 2),
                         fillvalue=9, dtype='u4', fletcher32=True, shuffle=True)
        l = h5py.VirtualLayout(shape=(5,), dtype='f8')
        l[:] = h5py.VirtualSource('x.h5', 'contiguous', shape=(5,))
        f.create_virtual_dataset('virtual', l)
        f.close()
        """,
        file);
    TestFile opened = TestFile.open(file);
    ContiguousLayout contiguous =
        (ContiguousLayout) opened.object("contiguous").find(LayoutMessage.class).orElseThrow();
    assertEquals(40, contiguous.size());
    assertEquals(40, opened.source().read(contiguous.address(), 40).byteSize());
    CompactLayout compact =
        (CompactLayout) opened.object("compact").find(LayoutMessage.class).orElseThrow();
    assertEquals("010002000300", compact.data().toString());
    assertTrue(
        opened.object("virtual").find(LayoutMessage.class).orElseThrow()
            instanceof VirtualLayoutMessage);
    ObjectHeader tree = opened.object("tree");
    ChunkedLayout layout = (ChunkedLayout) tree.find(LayoutMessage.class).orElseThrow();
    assertEquals("2x2", layout.chunk().toString());
    assertEquals(4, tree.find(DatatypeMessage.class).orElseThrow().elementSize());
    assertEquals(
        "09000000",
        tree.find(FillValueMessage.class).orElseThrow().userValue().orElseThrow().toString());
    assertEquals(
        List.of(2, 3),
        tree.find(FilterPipelineMessage.class).orElseThrow().pipeline().filters().stream()
            .map(filter -> filter.id())
            .toList());
    assertEquals(ChunkIndexKind.BTREE_2, opened.index(tree).kind());
  }

  @ParameterizedTest
  @MethodSource("interpreters")
  void an_old_file_is_read(Interpreter python) throws IOException {
    Path file = directory.resolve("old.h5");
    python.run(
        directory,
        """
        import sys, h5py
        f = h5py.File(sys.argv[1], 'w', libver='earliest')
        f['x'] = 1
        f.close()
        """,
        file);
    FormatFile format = FormatFile.open(MemoryFile.load(file));
    assertEquals(0, format.superblock().version());
    ObjectHeader root = format.header(format.superblock().rootAddress());
    assertEquals(List.of("x"), format.links(root).stream().map(LinkMessage::name).toList());
  }
}
