package io.skerry.format.dense;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.Interpreter;
import io.skerry.format.SharedData;
import io.skerry.format.block.Block;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.FractalHeap;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads dense storage that the HDF5 library wrote. */
class DenseReadTest {
  @TempDir Path directory;

  static List<Interpreter> interpreters() {
    return Interpreter.all();
  }

  @BeforeAll
  static void needs_h5py() {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
  }

  private TestFile make(Interpreter python, String body) throws IOException {
    Path path = directory.resolve("dense.h5");
    python.run(
        directory,
        "import sys, h5py, numpy as np\n"
            + "f = h5py.File(sys.argv[1], 'w', libver='latest', track_order=True)\n"
            + body
            + "\nf.close()\n",
        path);
    return TestFile.open(path);
  }

  private static DenseLinks links(TestFile file) {
    return DenseLinks.open(
        file.source(), file.superblock().widths(), file.root().require(LinkInfoMessage.class));
  }

  private static DenseAttributes attributes(TestFile file, String path) {
    return DenseAttributes.open(
        file.source(),
        file.superblock().widths(),
        file.object(path).require(AttributeInfoMessage.class),
        SharedAttributeHeap.none());
  }

  private static void disjoint(TestFile file, List<Block> blocks) {
    long end = 0;
    for (Block block : new TreeSet<>(blocks)) {
      assertTrue(block.address() >= end, block + " after " + end);
      end = block.end();
    }
    assertTrue(end <= file.source().size());
  }

  @ParameterizedTest
  @MethodSource("interpreters")
  void every_link_of_a_large_group_is_read_in_both_orders(Interpreter python) throws IOException {
    TestFile file =
        make(
            python,
            """
            for i in range(20000):
                n = 'link of number %d with a name' % i
                if i % 3 == 0: f[n] = h5py.SoftLink('/target/%d' % i)
                elif i % 3 == 1: f[n] = h5py.ExternalLink('file%d' % i, '/x')
                else: f[n] = f['/']
            """);
    DenseLinks links = links(file);
    assertEquals(20000, links.size());
    Set<String> names = new HashSet<>();
    for (LinkMessage link : links.all()) {
      names.add(link.name());
      long i = link.creationOrder().orElseThrow();
      assertEquals("link of number " + i + " with a name", link.name());
      LinkTarget expected =
          switch ((int) (i % 3)) {
            case 0 -> new LinkTarget.Soft("/target/" + i);
            case 1 -> new LinkTarget.External("file" + i, "/x");
            default -> new LinkTarget.Hard(file.superblock().rootAddress());
          };
      assertEquals(expected, link.target());
    }
    assertEquals(20000, names.size());
    List<LinkMessage> ordered = links.inCreationOrder().orElseThrow();
    for (int i = 0; i < 20000; i++) {
      assertEquals(OptionalLong.of(i), ordered.get(i).creationOrder());
    }
    for (int i = 0; i < 20000; i += 501) {
      String name = "link of number " + i + " with a name";
      assertEquals(Optional.of(ordered.get(i)), links.find(name));
    }
    assertFalse(links.find("absent").isPresent());
    disjoint(file, links.blocks());
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 20, 100, 1000})
  void links_are_read_from_groups_of_any_size_and_after_removal(int count) throws IOException {
    TestFile file =
        make(
            Interpreter.all().get(0),
            """
            n = %d
            for i in range(n + 50): f['ü%%d' %% i] = h5py.SoftLink('x' * (i * 7 %% 300 + 1))
            for i in range(n, n + 50): del f['ü%%d' %% i]
            """
                .formatted(count));
    DenseLinks links = links(file);
    Set<String> found = new HashSet<>();
    links.all().forEach(link -> found.add(link.name()));
    assertEquals(count, found.size());
    for (int i = 0; i < count; i++) {
      LinkMessage link = links.find("ü" + i).orElseThrow();
      assertEquals(new LinkTarget.Soft("x".repeat(i * 7 % 300 + 1)), link.target());
    }
    disjoint(file, links.blocks());
  }

  @ParameterizedTest
  @MethodSource("interpreters")
  void attributes_from_one_byte_to_huge_are_read(Interpreter python) throws IOException {
    TestFile file =
        make(
            python,
            """
            g = f.create_group('g', track_order=True)
            for i in range(300):
                g.attrs['attr %d' % i] = (np.arange(i * i * 4 + 1) + i).astype('u1')
            """);
    DenseAttributes attributes = attributes(file, "g");
    assertEquals(300, attributes.size());
    List<DenseAttribute> ordered = attributes.inCreationOrder().orElseThrow();
    for (int i = 0; i < 300; i++) {
      DenseAttribute attribute = ordered.get(i);
      assertEquals("attr " + i, attribute.name());
      assertEquals(OptionalInt.of(i), attribute.creationOrder());
      int length = i * i * 4 + 1;
      MemorySegment data = attribute.body().asSlice(attribute.body().byteSize() - length);
      byte[] expected = new byte[length];
      for (int k = 0; k < length; k++) {
        expected[k] = (byte) (k + i);
      }
      assertEquals(-1, MemorySegment.ofArray(expected).mismatch(data), attribute.name());
      assertEquals(
          -1, attributes.find("attr " + i).orElseThrow().body().mismatch(attribute.body()));
    }
    assertFalse(attributes.find("attr 300").isPresent());
    assertEquals(300, attributes.all().size());
    disjoint(file, attributes.blocks());
  }

  @Test
  void filtered_heaps_with_huge_links_are_read() throws IOException {
    assumeTrue(Interpreter.all().stream().anyMatch(p -> p.command().startsWith("/usr/bin")));
    Interpreter python =
        Interpreter.all().stream().filter(p -> p.command().startsWith("/usr/bin")).findAny().get();
    for (int count : new int[] {12, 3000}) {
      TestFile file =
          make(
              python,
              """
              import ctypes
              lib = ctypes.CDLL('libhdf5_serial.so.103')
              p = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
              assert lib.H5Pset_fletcher32(ctypes.c_int64(p.id)) >= 0
              assert lib.H5Pset_deflate(ctypes.c_int64(p.id), 6) >= 0
              g = h5py.Group(h5py.h5g.create(f.id, b'g', gcpl=p))
              for i in range(%d):
                  g['link %%d' %% i] = h5py.SoftLink(('%%d ' %% i) * (i if i %% 5 else 40 * i %% 3001 + 1))
              """
                  .formatted(count));
      LinkInfoMessage info = file.object("g").require(LinkInfoMessage.class);
      FractalHeap heap = FractalHeap.open(file.source(), Widths.EIGHT, info.heapAddress());
      assertEquals(2, heap.parameters().filters().filters().size());
      DenseLinks links = DenseLinks.open(file.source(), Widths.EIGHT, info);
      assertEquals(count, links.all().size());
      int huge = 0;
      for (int i = 0; i < count; i++) {
        LinkMessage link = links.find("link " + i).orElseThrow();
        String text = (i + " ").repeat(i % 5 != 0 ? i : 40 * i % 3001 + 1);
        assertEquals(new LinkTarget.Soft(text), link.target());
        huge += text.length() > 4096 ? 1 : 0;
      }
      assertTrue(count < 100 || huge > 100);
      disjoint(file, links.blocks());
    }
  }

  @Test
  void the_dense_groups_of_real_files_are_read() {
    for (String name :
        List.of(
            "nexus/538039.nxs",
            "nexus/p45-1168.nxs",
            "hdf5-corpus/tools/test/h5diff/testfiles/h5diff_grp_recurse1.h5",
            "hdf5-corpus/tools/test/h5diff/testfiles/h5diff_types.h5",
            "hdf5-corpus/tools/test/h5copy/testfiles/h5copytst.h5")) {
      MemoryFile file = MemoryFile.load(SharedData.file(name));
      byte[] bytes = file.toArray();
      int heaps = 0;
      for (int at = 0; at + 8 < bytes.length; at++) {
        if (bytes[at] == 'F'
            && bytes[at + 1] == 'R'
            && bytes[at + 2] == 'H'
            && bytes[at + 3] == 'P') {
          FractalHeap heap = FractalHeap.open(file, Widths.EIGHT, at);
          assertTrue(heap.blocks().size() > 1 && heap.objects() > 0, name);
          heaps++;
        }
      }
      assertTrue(heaps > 0, name);
    }
  }

  @Test
  void damage_is_reported_with_address_and_structure() throws IOException {
    TestFile file = make(Interpreter.all().get(0), "for i in range(30): f['%d' % i] = f['/']");
    LinkInfoMessage info = file.root().require(LinkInfoMessage.class);
    byte[] bytes = ((MemoryFile) file.source()).toArray();
    for (long at = info.heapAddress(); at < info.heapAddress() + 140; at += 9) {
      byte[] harmed = bytes.clone();
      harmed[(int) at] ^= 16;
      MemoryFile source = MemoryFile.of(harmed);
      FormatException e =
          assertThrows(
              FormatException.class,
              () -> FractalHeap.open(source, Widths.EIGHT, info.heapAddress()));
      assertEquals(info.heapAddress(), e.address().orElseThrow());
      assertTrue(e.what().contains("fractal heap header"), e.what());
    }
  }

  @Test
  void the_name_of_an_attribute_is_decoded_in_every_version() {
    byte[][] bodies = {
      {1, 0, 3, 0, 0, 0, 0, 0, 'a', 'b', 0, 0, 0, 0, 0, 0},
      {2, 0, 3, 0, 0, 0, 0, 0, 'a', 'b', 0},
      {3, 0, 3, 0, 0, 0, 0, 0, 1, 'a', 'b', 0}
    };
    for (byte[] body : bodies) {
      var attribute = new DenseAttribute(MemorySegment.ofArray(body), 0, OptionalInt.empty());
      assertEquals("ab", attribute.name());
    }
    byte[] unknown = {4, 0, 3, 0, 0, 0, 0, 0, 1, 'a', 'b', 0};
    assertThrows(
        FormatException.class, () -> DenseAttribute.nameBytes(MemorySegment.ofArray(unknown)));
  }
}
