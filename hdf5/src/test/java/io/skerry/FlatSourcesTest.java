package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads virtual datasets whose sources are contiguous. The files of such sources are not fully
 * opened.
 */
class FlatSourcesTest {
  private static final int LONG = 20_000;
  private static final int WIDTH = 8;
  private static final int FIRST = 0x1234567;

  @TempDir Path folder;

  @BeforeEach
  void creates_a_source() {
    source("s.h5", 1, 2);
  }

  private void source(String name, int... values) {
    try (H5File file = H5File.create(folder.resolve(name))) {
      file.createGroup("/g");
      file.createDataset("/g/d", DatasetSpec.of(Datatype.I32, Shape.of(values.length)))
          .write(Selection.all(), values);
      file.createSoftLink("/soft", "/g/d");
    }
  }

  private Path virtual(String source, String dataset, int length) {
    Path path = folder.resolve("v.h5");
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(Selection.at(0).extent(length), VirtualSource.of(source, dataset))
            .build();
    try (H5File file = H5File.create(path)) {
      file.createDataset("v", DatasetSpec.of(Datatype.I32, Shape.of(length)).virtual(layout));
    }
    return path;
  }

  private static int[] read(Path path) {
    try (H5File file = H5File.open(path)) {
      return file.dataset("v").readInts(Selection.all());
    }
  }

  @Test
  void a_source_is_found_through_hard_links_soft_links_and_symbolic_links() throws IOException {
    Files.createSymbolicLink(folder.resolve("link.h5"), Path.of("s.h5"));
    for (String file : new String[] {"s.h5", "link.h5", "./s.h5"}) {
      for (String dataset : new String[] {"/g/d", "g/d", "/soft"}) {
        assertArrayEquals(new int[] {1, 2}, read(virtual(file, dataset, 2)), file + dataset);
      }
    }
    assertArrayEquals(new int[] {0, 0}, read(virtual("s.h5", "/g/none", 2)));
    assertArrayEquals(new int[] {0, 0}, read(virtual("s.h5", "/g", 2)));
  }

  @Test
  void values_are_converted_to_the_type_in_memory() {
    try (H5File file = H5File.open(virtual("s.h5", "/g/d", 2))) {
      assertArrayEquals(new double[] {1, 2}, file.dataset("v").readDoubles(Selection.all()));
    }
  }

  @Test
  void elements_that_another_program_has_changed_are_read_again() {
    Path path = virtual("s.h5", "/g/d", 2);
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset("v");
      assertArrayEquals(new int[] {1, 2}, dataset.readInts(Selection.all()));
      try (H5File source = H5File.openForWriting(folder.resolve("s.h5"), Communicator.self())) {
        source.dataset("/g/d").write(Selection.all(), new int[] {3, 4});
      }
      assertArrayEquals(new int[] {3, 4}, dataset.readInts(Selection.all()));
    }
  }

  @Test
  void a_source_that_lost_its_end_is_refused_by_name() throws IOException {
    source("long.h5", new int[LONG]);
    Path path = virtual("long.h5", "/g/d", LONG);
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset("v");
      assertArrayEquals(new int[LONG], dataset.readInts(Selection.all()));
      cut("long.h5", 30_000);
      RuntimeException e =
          assertThrows(RuntimeException.class, () -> dataset.readInts(Selection.all()));
      assertTrue(String.valueOf(e.getMessage()).contains("long.h5"), e.getMessage());
    }
  }

  @Test
  void a_damaged_source_is_refused_by_name() throws IOException {
    Path path = virtual("s.h5", "/g/d", 2);
    cut("s.h5", 100);
    CollectiveException e = assertThrows(CollectiveException.class, () -> read(path));
    assertTrue(String.valueOf(e.getMessage()).contains("s.h5"), e.getMessage());
  }

  private void cut(String name, long size) throws IOException {
    try (FileChannel channel = FileChannel.open(folder.resolve(name), StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  @Test
  void a_source_with_a_file_in_the_place_of_its_journal_is_refused_by_name() throws IOException {
    Path path = virtual("s.h5", "/g/d", 2);
    Files.writeString(folder.resolve("s.h5.journal"), "something else, and long enough to be one");
    CollectiveException e = assertThrows(CollectiveException.class, () -> read(path));
    assertTrue(String.valueOf(e.getMessage()).contains("s.h5"), e.getMessage());
  }

  @Test
  void many_sources_of_several_kinds_are_read_in_the_order_of_their_mappings() throws IOException {
    int rows = 600;
    int[][] expected = new int[rows][];
    VirtualLayout.Builder layout = VirtualLayout.builder();
    Random random = new Random(5);
    byte[] template = template();
    for (int row = 0; row < rows; row++) {
      expected[row] = random.ints(WIDTH).toArray();
      String name = "row" + row + ".h5";
      if (row % 100 == 50) {
        chunked(name, expected[row]);
      } else if (row % 100 == 70) {
        expected[row] = new int[WIDTH];
      } else {
        Files.write(folder.resolve(name), patched(template, expected[row]));
      }
      layout.map(
          Selection.at(row, 0).extent(1, WIDTH),
          VirtualSource.of(name, row % 100 == 80 ? "/soft" : "/d"));
    }
    // Later mappings replace elements of earlier ones.
    for (int row = 0; row < 20; row++) {
      layout.map(
          Selection.at(row, 1).extent(1, 2),
          VirtualSource.of("row" + (row + 100) + ".h5", "/d").select(Selection.at(3).extent(2)));
      System.arraycopy(expected[row + 100], 3, expected[row], 1, 2);
    }
    Path path = folder.resolve("rows.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset(
          "v", DatasetSpec.of(Datatype.I32, Shape.of(rows, WIDTH)).virtual(layout.build()));
    }
    int[] all = Arrays.stream(expected).flatMapToInt(Arrays::stream).toArray();
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset("v");
      assertArrayEquals(all, dataset.readInts(Selection.all()));
      for (int i = 0; i < 200; i++) {
        int row = random.nextInt(rows);
        assertArrayEquals(
            expected[row], dataset.readInts(Selection.at(row, 0).extent(1, WIDTH)), "row " + row);
      }
      // The parts of these rows are not next to each other in memory.
      int[] columns = dataset.readInts(Selection.at(0, 2).extent(rows, 3));
      for (int i = 0; i < columns.length; i++) {
        assertEquals(expected[i / 3][2 + i % 3], columns[i], "element " + i);
      }
    }
    for (int workers : new int[] {1, 3}) {
      FileOptions options = FileOptions.standard().withWorkers(workers);
      try (H5File file = H5File.open(path, Communicator.self(), options);
          Arena arena = Arena.ofConfined()) {
        MemorySegment values = arena.allocate(ValueLayout.JAVA_INT, all.length);
        file.dataset("v").read(Selection.all(), Datatype.I32, values);
        assertArrayEquals(all, values.toArray(ValueLayout.JAVA_INT));
      }
    }
  }

  /** Returns a file with the dataset d, which contains the numbers from {@link #FIRST} on. */
  private byte[] template() throws IOException {
    Path path = folder.resolve("template.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(WIDTH)))
          .write(Selection.all(), IntStream.range(FIRST, FIRST + WIDTH).toArray());
      file.createSoftLink("/soft", "/d");
    }
    return Files.readAllBytes(path);
  }

  private static byte[] patched(byte[] template, int[] row) {
    ByteBuffer bytes = ByteBuffer.wrap(template.clone()).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (bytes.getInt(at) != FIRST || bytes.getInt(at + 4) != FIRST + 1) {
      at++;
    }
    for (int value : row) {
      bytes.putInt(at, value);
      at += 4;
    }
    return bytes.array();
  }

  private void chunked(String name, int[] row) {
    try (H5File file = H5File.create(folder.resolve(name))) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(WIDTH)).chunked(3))
          .write(Selection.all(), row);
    }
  }

  @Test
  void all_elements_of_many_flat_sources_are_defined_unless_they_are_missing() throws IOException {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int row = 0; row < 50; row++) {
      layout.map(
          Selection.at(row, 0).extent(1, 2),
          VirtualSource.of(row % 10 == 3 ? "none.h5" : "s.h5", "/g/d"));
    }
    Path path = folder.resolve("rows.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset(
          "v", DatasetSpec.of(Datatype.I32, Shape.of(60, 3)).virtual(layout.build()));
    }
    try (H5File file = H5File.open(path)) {
      Selection expected = Selection.none();
      for (int row = 0; row < 50; row++) {
        if (row % 10 != 3) {
          expected = expected.union(Selection.at(row, 0).extent(1, 2));
        }
      }
      assertEquals(expected, file.dataset("v").defined(Selection.all()));
    }
  }
}
