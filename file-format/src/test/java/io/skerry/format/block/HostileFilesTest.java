package io.skerry.format.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Interpreter;
import io.skerry.format.SharedData;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads mutated files, which must be read or refused with a {@link FormatException} or an {@link
 * UnsupportedFeatureException}; other exceptions, hangs and excessive memory use are failures. Half
 * of the mutated files get valid checksums, so that the code after the verification is reached.
 */
class HostileFilesTest {
  private static final int MUTANTS = Boolean.getBoolean("skerry.thorough") ? 2000 : 600;
  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;

  @TempDir Path directory;

  /** A block with a checksum, located in the original file. */
  private record Checked(int from, int checksumAt) {}

  private static int walk(byte[] bytes) {
    TestFile file = TestFile.open(MemoryFile.of(bytes));
    return visit(file, file.superblock().rootAddress(), 0);
  }

  private static int visit(TestFile file, long address, int depth) {
    ObjectHeader header = file.header(address);
    int seen = 1;
    for (AttributeMessage attribute : header.all(AttributeMessage.class)) {
      seen += attribute.datatype().datatype().size() > 0 ? 1 : 0;
    }
    if (header.find(LayoutMessage.class).orElse(null) instanceof ChunkedLayout) {
      int[] chunks = {0};
      ChunkIndex index = file.index(header);
      index.forEachRecord(file.source(), (at, record) -> chunks[0] += at.length == 0 ? 0 : 1);
      seen += chunks[0];
    }
    for (LinkMessage link : header.all(LinkMessage.class)) {
      if (link.target() instanceof LinkTarget.Hard(long child) && depth < 8) {
        seen += visit(file, child, depth + 1);
      }
    }
    return seen;
  }

  private Path make(String body) throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path path = directory.resolve("seed.h5");
    String script =
        "import sys, h5py, numpy as np\nf = h5py.File(sys.argv[1], 'w', libver=('v110', 'v110'))\n";
    Interpreter.all().get(0).run(directory, script + body + "\nf.close()\n", path);
    return path;
  }

  /** Returns the blocks that begin with a signature and end with a valid checksum. */
  private static List<Checked> checksums(byte[] bytes) {
    List<Checked> found = new ArrayList<>();
    found.add(new Checked(0, 44));
    MemorySegment all = MemorySegment.ofArray(bytes);
    List<String> signatures =
        List.of("OHDR", "OCHK", "FAHD", "FADB", "EAHD", "EAIB", "EASB", "EADB");
    for (int at = 0; at + 8 < bytes.length; at++) {
      String four = new String(bytes, at, 4, StandardCharsets.ISO_8859_1);
      if (signatures.contains(four)) {
        for (int end = at + 8; end + 4 <= bytes.length && end < at + 9000; end++) {
          if (Lookup3.checksum(all.asSlice(at, end - at)) == all.get(U32, end)) {
            found.add(new Checked(at, end));
            break;
          }
        }
      }
    }
    return found;
  }

  private static void mutate(byte[] bytes, List<Checked> checked, Random random) {
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int at;
      if (random.nextInt(4) > 0) {
        Checked block = checked.get(random.nextInt(checked.size()));
        at = block.from + random.nextInt(block.checksumAt - block.from);
      } else {
        at = random.nextInt(bytes.length);
      }
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
      MemorySegment body = all.asSlice(block.from, block.checksumAt - block.from);
      all.set(U32, block.checksumAt, Lookup3.checksum(body));
    }
  }

  private static void survive(byte[] whole, long seed) {
    List<Checked> checked = checksums(whole);
    assertTrue(checked.size() > 2, "blocks found");
    assertTrue(walk(whole) > 2);
    int[] outcomes = new int[3];
    for (int i = 0; i < MUTANTS; i++) {
      Random random = new Random(seed * 1_000_003 + i);
      byte[] bytes = whole.clone();
      mutate(bytes, checked, random);
      if (random.nextBoolean()) {
        repair(bytes, checked);
      }
      int mutant = i;
      int outcome =
          assertTimeout(Duration.ofSeconds(5), () -> outcome(bytes), () -> "mutant " + mutant);
      outcomes[outcome]++;
    }
    System.out.printf(
        "mutants %d: read %d, refused %d, unsupported %d%n",
        MUTANTS, outcomes[0], outcomes[1], outcomes[2]);
    assertTrue(outcomes[0] > 0 && outcomes[1] > 0);
  }

  private static int outcome(byte[] bytes) {
    try {
      walk(bytes);
      return 0;
    } catch (FormatException e) {
      return 1;
    } catch (UnsupportedFeatureException e) {
      return 2;
    }
  }

  @Test
  void a_tree_with_attributes_survives_mutation() throws IOException {
    survive(
        MemoryFile.load(
                make(
                    """
                    for i in range(6):
                        g = f.create_group('g%d' % i)
                        g.attrs['a'] = np.arange(i)
                        g.attrs['text'] = 'some text'
                        g.attrs['compound'] = np.zeros(2, dtype=[('x', 'f4'), ('y', 'i2', (2,))])
                    f['s'] = h5py.SoftLink('/x')
                    f['e'] = h5py.ExternalLink('x', '/y')
                    """))
            .toArray(),
        1);
  }

  @Test
  void fixed_arrays_survive_mutation() throws IOException {
    survive(
        MemoryFile.load(
                make(
                    """
                    f.create_dataset('a', (40, 30), 'u2', chunks=(7, 8), compression=1)[...] = 1
                    f.create_dataset('b', (3000,), 'u1', chunks=(1,))[1020:1030] = 1
                    f.create_dataset('c', (5, 5), 'u1', chunks=(5, 5), compression=1)[...] = 1
                    """))
            .toArray(),
        2);
  }

  @Test
  void extensible_arrays_survive_mutation() throws IOException {
    survive(
        MemoryFile.load(
                make(
                    """
                    f.create_dataset('a', (400, 3), 'u2', maxshape=(None, 3), chunks=(2, 2))[...] = 1
                    d = f.create_dataset('b', (150000,), 'u1', maxshape=(None,), chunks=(1,),
                                         compression=1)
                    d[100:110] = 1
                    d[140000:140003] = 1
                    """))
            .toArray(),
        3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sparse_single.h5",
        "sparse_single_deflate.h5",
        "sparse_fa.h5",
        "sparse_fa_deflate.h5"
      })
  void structured_chunk_files_survive_mutation(String name) {
    survive(MemoryFile.load(SharedData.file("structured-chunk/" + name)).toArray(), 4);
  }

  @Test
  void every_truncation_of_a_file_is_refused() throws IOException {
    byte[] whole =
        MemoryFile.load(make("f.create_dataset('a', (40,), 'u2', chunks=(7,))[...] = 1")).toArray();
    for (int length = 0; length < whole.length; length++) {
      assertEquals(1, outcome(Arrays.copyOf(whole, length)), "length " + length);
    }
  }

  @Test
  void a_dataset_of_excessive_extent_is_refused_without_allocating_memory() throws IOException {
    byte[] whole =
        MemoryFile.load(make("f.create_dataset('a', (40,), 'u2', chunks=(7,))[...] = 1")).toArray();
    TestFile file = TestFile.open(MemoryFile.of(whole));
    ObjectHeader dataset = file.object("a");
    assertEquals("40", dataset.find(DataspaceMessage.class).orElseThrow().shape().toString());
    Block header = dataset.placement().first();
    MemorySegment all = MemorySegment.ofArray(whole);
    int changed = 0;
    for (long at = header.address(); at + 8 < header.end() - 4; at++) {
      if (all.get(ValueLayout.JAVA_LONG_UNALIGNED, at) == 40) {
        all.set(ValueLayout.JAVA_LONG_UNALIGNED, at, Long.MAX_VALUE / 4);
        changed++;
      }
    }
    assertTrue(changed > 0);
    repair(whole, List.of(new Checked((int) header.address(), (int) header.end() - 4)));
    assertEquals(1, outcome(whole));
  }
}
