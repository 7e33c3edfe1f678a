package io.skerry.format.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.format.Interpreter;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads chunk indexes of files that h5py creates during the test, and compares them with the
 * listing by h5py.
 */
class ReadForeignFilesTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  @TempDir Path directory;

  private static final String PRELUDE =
      """
      import sys, itertools, h5py, numpy as np
      def chunks(d):
          out = []
          if hasattr(d.id, 'chunk_iter'):
              d.id.chunk_iter(lambda i: out.append(i))
          else:
              out = [d.id.get_chunk_info(i) for i in range(d.id.get_num_chunks())]
          return out
      def show(d):
          for i in chunks(d):
              print(','.join(str(c // s) for c, s in zip(i.chunk_offset, d.chunks)),
                    i.byte_offset, i.size, i.filter_mask)
      """;

  static List<Interpreter> interpreters() {
    return Interpreter.all();
  }

  @BeforeAll
  static void needs_h5py() {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
  }

  /** Creates a file with one dataset d and returns its chunks as listed by h5py. */
  private TreeSet<String> make(Interpreter python, Path file, String version, String body)
      throws IOException {
    String script =
        PRELUDE
            + "f = h5py.File(sys.argv[1], 'w', libver=('"
            + version
            + "', '"
            + version
            + "'))\n"
            + body
            + "\nf.flush()\nshow(f['d'])\nf.close()\n";
    return python
        .run(directory, script, file)
        .lines()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the sort key of a record, which increases from record to record. */
  private static long[] order(ChunkIndex index, long[] scaled) {
    return index instanceof LinearIndex linear ? new long[] {linear.position(scaled)} : scaled;
  }

  private static TreeSet<String> records(TestFile file, ChunkIndex index) {
    TreeSet<String> lines = new TreeSet<>();
    ChunkCoordinates[] last = {ChunkCoordinates.of()};
    index.forEachRecord(
        file.source(),
        (scaled, record) -> {
          ChunkCoordinates chunk = ChunkCoordinates.of(order(index, scaled));
          assertTrue(chunk.compareTo(last[0]) > 0, "chunks come in order");
          last[0] = chunk;
          lines.add(
              Arrays.stream(scaled).mapToObj(Long::toString).collect(Collectors.joining(","))
                  + " "
                  + (record.address() + file.superblock().baseAddress())
                  + " "
                  + record.sections().size()
                  + " "
                  + record.sections().filterMask(0));
        });
    return lines;
  }

  /** Compares large sets, with a short message on failure. */
  private static void assertSame(TreeSet<String> expected, TreeSet<String> actual) {
    TreeSet<String> missing = new TreeSet<>(expected);
    missing.removeAll(actual);
    TreeSet<String> wrong = new TreeSet<>(actual);
    wrong.removeAll(expected);
    assertEquals(
        "missing [] wrong []",
        "missing "
            + missing.stream().limit(5).toList()
            + " wrong "
            + wrong.stream().limit(5).toList());
    assertTrue(expected.size() > 0);
  }

  /** Compares indexes in two formats; the number of the case selects the libraries. */
  private void compare(ChunkIndexKind kind, int number, String body) throws IOException {
    List<String> versions = List.of("v110", "latest");
    for (int i = 0; i < versions.size(); i++) {
      for (Interpreter python : Interpreter.inTurn(number + i)) {
        Path file = directory.resolve(kind + versions.get(i) + ".h5");
        TreeSet<String> expected = make(python, file, versions.get(i), body);
        TestFile opened = TestFile.open(file);
        ChunkIndex index = opened.index(opened.object("d"));
        assertEquals(kind, index.kind());
        assertSame(expected, records(opened, index));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, None", "1, 4", "2, 9"})
  void a_fixed_array_reads_as_h5py_sees_it(int number, String level) throws IOException {
    compare(
        ChunkIndexKind.FIXED_ARRAY,
        number,
        "d = f.create_dataset('d', shape=(40, 30), maxshape=(70, 30), chunks=(7, 8), dtype='u2',"
            + " compression="
            + level
            + ")\nd[3:20, 5:] = np.arange(17*25).reshape(17, 25)");
  }

  @ParameterizedTest
  @CsvSource({"0, None", "1, 1"})
  void a_paged_fixed_array_reads_as_h5py_sees_it(int number, String level) throws IOException {
    compare(
        ChunkIndexKind.FIXED_ARRAY,
        number,
        "d = f.create_dataset('d', shape=(5000,), chunks=(1,), dtype='u1', compression="
            + level
            + ")\nd[0:3] = 1\nd[1023:1026] = 2\nd[3000] = 3\nd[4990:] = 4");
  }

  @ParameterizedTest
  @CsvSource({"0, None", "1, 1"})
  void a_single_chunk_reads_as_h5py_sees_it(int number, String level) throws IOException {
    compare(
        ChunkIndexKind.SINGLE,
        number,
        "d = f.create_dataset('d', shape=(6, 7), chunks=(6, 7), dtype='f8', compression="
            + level
            + ", shuffle="
            + (level.equals("None") ? "None" : "True")
            + ")\nd[...] = 1");
  }

  @ParameterizedTest
  @CsvSource({"0, None", "1, 1"})
  void an_extensible_array_reads_as_h5py_sees_it(int number, String level) throws IOException {
    compare(
        ChunkIndexKind.EXTENSIBLE_ARRAY,
        number,
        "d = f.create_dataset('d', shape=(300, 3, 2), maxshape=(None, 3, 4), chunks=(4, 1, 1),"
            + " dtype='i4', compression="
            + level
            + ")\nd[...] = 1");
  }

  /**
   * The chunk iteration of the HDF5 library returns wrong coordinates for such datasets, so chunks
   * are identified by their values.
   */
  @ParameterizedTest
  @MethodSource("interpreters")
  void a_later_unlimited_dimension_is_moved_to_the_front(Interpreter python) throws IOException {
    Path file = directory.resolve("later.h5");
    python.run(
        directory,
        PRELUDE
            + """
            f = h5py.File(sys.argv[1], 'w', libver='latest')
            d = f.create_dataset('d', shape=(3, 5, 300, 4), maxshape=(3, 6, None, 4),
                                 chunks=(1, 2, 4, 2), dtype='i4')
            d[...] = np.arange(3 * 5 * 300 * 4).reshape(d.shape)
            f.close()
            """,
        file);
    TestFile opened = TestFile.open(file);
    ChunkIndex index = opened.index(opened.object("d"));
    int[] chunks = {0};
    index.forEachRecord(
        opened.source(),
        (at, record) -> {
          int first =
              opened.source().read(record.address(), 4).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
          assertEquals(((at[0] * 5 + at[1] * 2) * 300 + at[2] * 4) * 4 + at[3] * 2, first);
          chunks[0]++;
        });
    assertEquals(3 * 3 * 75 * 2, chunks[0]);
  }

  @ParameterizedTest
  @CsvSource({"0, None", "1, 1"})
  void a_sparsely_filled_extensible_array_reads_as_h5py_sees_it(int number, String level)
      throws IOException {
    compare(
        ChunkIndexKind.EXTENSIBLE_ARRAY,
        number,
        "d = f.create_dataset('d', shape=(1 << 22,), maxshape=(None,), chunks=(1,), dtype='u1',"
            + " compression="
            + level
            + ")\n"
            + "for i in [0, 5, 100, 40000, 40001, 70000, 131000, 140000, 500000, 1000000, 3000000,"
            + " 4000000]: d[i] = 3");
  }

  @Test
  void an_extensible_array_of_a_hundred_and_forty_thousand_chunks_reads_as_h5py_sees_it()
      throws IOException {
    Interpreter newest = interpreters().get(0);
    assumeTrue(newest.listsChunks(), "no h5py on an HDF5 that lists all chunks at once");
    Path file = directory.resolve("large.h5");
    // The chunks from number 131,060 are in paged blocks; the first ones in blocks of each kind.
    int step = THOROUGH ? 3000 : 23_000;
    TreeSet<String> expected =
        make(
            newest,
            file,
            "v110",
            "d = f.create_dataset('d', shape=(140000,), maxshape=(None,), chunks=(1,),"
                + " dtype='u1')\nfor i in range(0, 140000, %d): d[i:i + 3000] = 1".formatted(step));
    TestFile opened = TestFile.open(file);
    assertEquals(140000 / step * 3000 + 2000, expected.size());
    assertSame(expected, records(opened, opened.index(opened.object("d"))));
  }

  @Test
  void a_user_block_shifts_all_addresses() throws IOException {
    for (Interpreter python : interpreters()) {
      Path file = directory.resolve("user.h5");
      String script =
          PRELUDE
              + """
              f = h5py.File(sys.argv[1], 'w', libver='latest', userblock_size=1024)
              d = f.create_dataset('d', shape=(40,), chunks=(7,), dtype='u2')
              d[:] = 1
              f.close()
              f = h5py.File(sys.argv[1])
              print(f['d'].id.get_chunk_info(0).byte_offset)
              """;
      long first = Long.parseLong(python.run(directory, script, file).strip());
      TestFile opened = TestFile.open(file);
      assertEquals(1024, opened.superblock().baseAddress());
      assertEquals(opened.source().size(), opened.superblock().endOfFile());
      ChunkIndex index = opened.index(opened.object("d"));
      long[] found = {-1};
      index.forEachRecord(
          opened.source(),
          (scaled, record) -> found[0] = found[0] < 0 ? record.address() : found[0]);
      // Library versions differ in whether they add the base address to this value.
      assertTrue(first == found[0] || first == found[0] + 1024, first + " " + found[0]);
      short value = opened.source().read(found[0], 2).get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
      assertEquals(1, value);
    }
  }

  /**
   * Compares a chunk index of the given kind with the listing by h5py; the number of the case
   * selects the library.
   */
  private void compareTree(ChunkIndexKind kind, int number, String version, String body)
      throws IOException {
    for (Interpreter python : Interpreter.inTurn(number)) {
      Path file = directory.resolve(kind + version + ".h5");
      TreeSet<String> expected = make(python, file, version, body);
      TestFile opened = TestFile.open(file);
      ChunkIndex index = opened.index(opened.object("d"));
      assertEquals(kind, index.kind());
      assertEquals(expected, records(opened, index));
      checkBlocks(index.blocks(opened.source()));
    }
  }

  private static void checkBlocks(List<Block> blocks) {
    for (int i = 1; i < blocks.size(); i++) {
      assertTrue(blocks.get(i - 1).end() <= blocks.get(i).address(), "nodes overlap: " + blocks);
    }
  }

  /** Returns a script that writes nine tenths of the chunks of a grid in random order. */
  private static String scattered(String create) {
    return create
        + """

        import random
        g = [-(-s // c) for s, c in zip(d.shape, d.chunks)]
        every = list(itertools.product(*map(range, g)))
        random.Random(5).shuffle(every)
        for n, i in enumerate(every[:len(every) * 9 // 10]):
            at = tuple(slice(k * c, min((k + 1) * c, s)) for k, c, s in zip(i, d.chunks, d.shape))
            d[at] = n
        """;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0; (0,); (None,); (2,); ''",
        "1; (1,); (None,); (2,); ''",
        "2; (128,); (128,); (2,); ''",
        "3; (9000,); (None,); (2,); ''",
        "4; (9000,); (9000,); (2,); compression='gzip'",
        "5; (70, 90); (None, None); (3, 2); fletcher32=True",
        "6; (20, 11, 12); (None, 40, None); (3, 2, 5); ''",
        "7; (9, 7, 8, 6); (None, None, 8, None); (2, 2, 3, 2); compression='gzip', shuffle=True"
      })
  void a_version_1_tree_of_any_depth_is_read(
      int number, String shape, String maximum, String chunk, String filters) throws IOException {
    String body = scattered(create(shape, maximum, chunk, filters));
    compareTree(ChunkIndexKind.BTREE_1, number, "v108", body);
  }

  // A tree of nodes of 2048 bytes has three levels above 5269 records, or 3603 of filtered chunks.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0; (0, 4); (0, 4); (None, None); (2, 2); ''",
        "1; (3, 4); (3, 4); (None, None); (4, 4); ''",
        "2; (200, 190); (300, 200); (None, None); (2, 3); ''",
        "3; (170, 150); (200, 200); (None, None); (2, 3); compression='gzip'",
        "4; (20, 31, 22); (20, 31, 22); (None, 40, None); (3, 2, 2); ''",
        "5; (9, 7, 8, 6); (9, 7, 8, 6); (None, None, 8, None); (2, 2, 3, 2);"
            + " compression='gzip', fletcher32=True"
      })
  void a_version_2_tree_of_any_depth_is_read(
      int number, String shape, String large, String maximum, String chunk, String filters)
      throws IOException {
    String body = scattered(create(THOROUGH ? large : shape, maximum, chunk, filters));
    compareTree(ChunkIndexKind.BTREE_2, number, "v110", body);
    compareTree(ChunkIndexKind.BTREE_2, number + 1, "latest", body);
  }

  private static String create(String shape, String maximum, String chunk, String filters) {
    return "d = f.create_dataset('d', %s, 'i4', maxshape=%s, chunks=%s, %s)"
        .formatted(shape, maximum, chunk, filters);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"0; (17, 9); (5, 4)", "1; (40, 41); (1, 2)", "2; (1,); (1,)"})
  void an_implicit_index_counts_over_the_maximum_extent(int number, String shape, String chunk)
      throws IOException {
    String body =
        """
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_chunk(%s)
        p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        s = h5py.h5s.create_simple(%s, tuple(2 * n for n in %s))
        d = h5py.Dataset(h5py.h5d.create(f.id, b'd', h5py.h5t.NATIVE_INT32, s, p))
        d.resize(tuple(2 * n for n in %s))
        """
            .formatted(chunk, shape, shape, shape);
    compareTree(ChunkIndexKind.IMPLICIT, number, "v110", body);
    compareTree(ChunkIndexKind.IMPLICIT, number + 1, "latest", body);
  }
}
