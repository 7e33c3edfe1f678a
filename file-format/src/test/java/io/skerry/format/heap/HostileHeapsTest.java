package io.skerry.format.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.dense.DenseAttribute;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.dense.DenseLinksEditor;
import io.skerry.format.dense.SharedAttributeHeap;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads mutated heaps and B-trees, which must be read or refused with a {@link FormatException} or
 * an {@link UnsupportedFeatureException}; other exceptions, hangs and excessive memory use are
 * failures. Half of the mutated files get valid checksums, so that the code after the verification
 * is reached.
 */
class HostileHeapsTest {
  private static final int MUTANTS = Boolean.getBoolean("skerry.thorough") ? 1000 : 500;
  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;

  @TempDir Path directory;

  /** A block whose checksum covers all of it except the checksum field. */
  private record Checked(int from, int checksumAt, int to) {}

  /** Reads the structures under test from a mutated file. */
  private interface Walk {
    void read(MemoryFile file);
  }

  private TestFile make(Interpreter python, String body) throws IOException {
    Path path = directory.resolve("seed.h5");
    String script =
        """
        import sys, h5py, numpy as np
        f = h5py.File(sys.argv[1], 'w', libver='latest', track_order=True)
        """;
    python.run(directory, script + body + "\nf.close()\n", path);
    return TestFile.open(path);
  }

  private static Interpreter python() {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    return Interpreter.all().get(0);
  }

  private static List<Checked> checksums(MemoryFile file, long heapAddress) {
    List<Checked> found = new ArrayList<>();
    byte[] bytes = file.toArray();
    MemorySegment all = MemorySegment.ofArray(bytes);
    List<String> signatures = List.of("FRHP", "FHIB", "BTHD", "BTIN", "BTLF", "FSHD");
    for (int at = 0; at + 8 < bytes.length; at++) {
      String four = new String(bytes, at, 4, StandardCharsets.ISO_8859_1);
      if (signatures.contains(four)) {
        for (int end = at + 8; end + 4 <= bytes.length && end < at + 3000; end++) {
          if (Lookup3.checksum(all.asSlice(at, end - at)) == all.get(U32, end)) {
            found.add(new Checked(at, end, end));
            break;
          }
        }
      }
    }
    FractalHeap heap = FractalHeap.open(file, Widths.EIGHT, heapAddress);
    if (!heap.parameters().isFiltered()) {
      int prefix = heap.parameters().directOverhead(Widths.EIGHT) - 4;
      heap.visit(
          (block, place) -> {},
          leaf -> {
            int from = (int) leaf.stored().address();
            found.add(new Checked(from, from + prefix, (int) leaf.stored().end()));
          });
    }
    return found;
  }

  private static void mutate(byte[] bytes, List<Checked> checked, Random random) {
    for (int i = random.nextInt(3); i >= 0; i--) {
      Checked block = checked.get(random.nextInt(checked.size()));
      int length = Math.max(block.to, block.checksumAt) - block.from;
      int at = block.from + random.nextInt(random.nextBoolean() ? Math.min(length, 60) : length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0);
        default -> {
          byte fill = (byte) (random.nextBoolean() ? 0xff : 0x7f);
          for (int k = at; k < Math.min(bytes.length, at + 8); k++) {
            bytes[k] = fill;
          }
        }
      }
    }
  }

  private static void repair(byte[] bytes, List<Checked> checked) {
    MemorySegment all = MemorySegment.ofArray(bytes);
    for (Checked block : checked) {
      if (block.to == block.checksumAt) {
        MemorySegment body = all.asSlice(block.from, block.checksumAt - block.from);
        all.set(U32, block.checksumAt, Lookup3.checksum(body));
      } else {
        MemorySegment body = all.asSlice(block.from, block.to - block.from);
        long at = block.checksumAt - block.from;
        all.set(U32, block.checksumAt, DirectBlock.checksum(body, at));
      }
    }
  }

  private static int outcome(Walk walk, byte[] bytes) {
    try {
      walk.read(MemoryFile.of(bytes));
      return 0;
    } catch (FormatException e) {
      assertTrue(e.file().isPresent(), e.getMessage());
      return 1;
    } catch (UnsupportedFeatureException e) {
      return 2;
    }
  }

  private static void survive(MemoryFile seed, List<Checked> checked, Walk walk, long number) {
    byte[] whole = seed.toArray();
    assertTrue(checked.size() > 3, "blocks " + checked.size());
    assertEquals(0, outcome(walk, whole));
    int[] outcomes = new int[3];
    for (int i = 0; i < MUTANTS; i++) {
      Random random = new Random(number * 1_000_003 + i);
      byte[] bytes = whole.clone();
      mutate(bytes, checked, random);
      if (random.nextInt(4) > 0) {
        repair(bytes, checked);
      }
      int mutant = i;
      outcomes[
          assertTimeout(
              Duration.ofSeconds(2), () -> outcome(walk, bytes), () -> "mutant " + mutant)]++;
    }
    System.out.printf(
        "mutants %d: read %d, refused %d, unsupported %d%n",
        MUTANTS, outcomes[0], outcomes[1], outcomes[2]);
    assertTrue(outcomes[0] > 0 && outcomes[1] > MUTANTS / 10);
  }

  private static Walk links(LinkInfoMessage info) {
    return file -> {
      DenseLinks links = DenseLinks.open(file, Widths.EIGHT, info);
      List<LinkMessage> all = links.all();
      for (int i = 0; i < all.size(); i += 9) {
        links.find(all.get(i).name());
      }
      links.inCreationOrder();
      links.blocks();
      SpaceAllocator space = SpaceAllocator.startingAt(file.size());
      try {
        DenseLinksEditor editor = DenseLinksEditor.open(file, Widths.EIGHT, info, space);
        editor.add(LinkMessage.of("fresh", new LinkTarget.Soft("x")));
        for (int i = 0; i < all.size(); i += 5) {
          editor.remove(all.get(i).name());
        }
        editor.commit();
      } catch (FormatException e) {
        throw e.inFile(file.name());
      }
    };
  }

  @Test
  void dense_links_survive_mutation() throws IOException {
    TestFile file =
        make(python(), "for i in range(200): f['L%d' % i] = h5py.SoftLink('x' * (i * 3 + 1))");
    LinkInfoMessage info = file.root().require(LinkInfoMessage.class);
    MemoryFile seed = (MemoryFile) file.source();
    survive(seed, checksums(seed, info.heapAddress()), links(info), 1);
  }

  @Test
  void huge_links_survive_mutation() throws IOException {
    TestFile file =
        make(python(), "for i in range(60): f['L%d' % i] = h5py.SoftLink('x' * (i * 300 + 1))");
    LinkInfoMessage info = file.root().require(LinkInfoMessage.class);
    MemoryFile seed = (MemoryFile) file.source();
    survive(seed, checksums(seed, info.heapAddress()), links(info), 2);
  }

  @Test
  void filtered_links_survive_mutation() throws IOException {
    Optional<Interpreter> found =
        Interpreter.all().stream().filter(p -> p.command().startsWith("/usr/bin")).findAny();
    assumeTrue(found.isPresent(), "no Python with a shared HDF5 library");
    TestFile file =
        make(
            found.get(),
            """
            import ctypes
            lib = ctypes.CDLL('libhdf5_serial.so.103')
            p = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
            assert lib.H5Pset_deflate(ctypes.c_int64(p.id), 6) >= 0
            g = h5py.Group(h5py.h5g.create(f.id, b'g', gcpl=p))
            for i in range(100): g['link %d' % i] = h5py.SoftLink('y' * (i * 60 + 1))
            """);
    LinkInfoMessage info = file.object("g").require(LinkInfoMessage.class);
    MemoryFile seed = (MemoryFile) file.source();
    survive(seed, checksums(seed, info.heapAddress()), links(info), 3);
  }

  @Test
  void dense_attributes_survive_mutation() throws IOException {
    TestFile file =
        make(
            python(),
            "for i in range(150): f.attrs['a%d' % i] = np.zeros(i * i * 2 % 6000 + 1, dtype='u1')");
    AttributeInfoMessage info = file.root().require(AttributeInfoMessage.class);
    MemoryFile seed = (MemoryFile) file.source();
    Walk walk =
        mutant -> {
          try {
            DenseAttributes attributes =
                DenseAttributes.open(mutant, Widths.EIGHT, info, SharedAttributeHeap.none());
            for (DenseAttribute attribute : attributes.all()) {
              attributes.find(attribute.name());
            }
            attributes.inCreationOrder();
            attributes.blocks();
          } catch (FormatException e) {
            throw e.inFile(mutant.name());
          }
        };
    survive(seed, checksums(seed, info.heapAddress()), walk, 4);
  }

  @Test
  void the_global_heap_survives_mutation() {
    SpaceAllocator space = SpaceAllocator.startingAt(0);
    GlobalHeapWriter writer = GlobalHeapWriter.create(Widths.EIGHT, space);
    List<GlobalHeapWriter.Reference> references = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Bytes text = Bytes.of(MemorySegment.ofArray("t".repeat(i % 60 + 1).getBytes()));
      references.add(writer.add(text.segment()));
    }
    MemoryFile seed = MemoryFile.empty();
    writer.commit().forEach(seed::write);
    byte[] whole = seed.toArray();
    List<Checked> everywhere = List.of(new Checked(0, whole.length - 8, whole.length - 8));
    int[] outcomes = new int[2];
    for (int i = 0; i < MUTANTS; i++) {
      byte[] bytes = whole.clone();
      mutate(bytes, everywhere, new Random(i));
      GlobalHeap heap = GlobalHeap.open(MemoryFile.of(bytes), Widths.EIGHT);
      try {
        for (GlobalHeapWriter.Reference at : references) {
          MemorySegment object = heap.object(at.collection(), at.index());
          assertTrue(ByteReader.of(object, "object").remaining() <= whole.length);
        }
        outcomes[0]++;
      } catch (FormatException e) {
        assertTrue(e.address().isPresent() && e.file().isPresent());
        outcomes[1]++;
      }
    }
    System.out.printf("mutants %d: read %d, refused %d%n", MUTANTS, outcomes[0], outcomes[1]);
    assertTrue(outcomes[0] > 0 && outcomes[1] > 0);
  }
}
