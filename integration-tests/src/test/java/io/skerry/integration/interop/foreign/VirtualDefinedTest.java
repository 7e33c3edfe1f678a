package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds the defined elements of virtual datasets, whose sources may be sparse. */
class VirtualDefinedTest {
  /** Each source has 3 x 4 elements; in sparse sources, those of {@link #DEFINED} are defined. */
  private static final String MAKE =
      """
      import h5py
      from h5py import h5d, h5p, h5s, h5t
      U = h5s.UNLIMITED
      def space(extent, start=None, count=None, stride=None, block=None, most=None):
          s = h5s.create_simple(extent, most or extent)
          if start is not None:
              s.select_hyperslab(start, count, stride, block)
          return s
      def points(extent, at):
          s = h5s.create_simple(extent, extent)
          s.select_elements(at)
          return s
      def make(f, name, shape, *mappings):
          p = h5p.create(h5p.DATASET_CREATE)
          for virtual, file, dataset, source in mappings:
              p.set_virtual(virtual, file.encode(), dataset.encode(), source)
          h5d.create(f.id, name.encode(), h5t.STD_I32LE, shape, p)
      whole = space((3, 4))
      with h5py.File("virtual.h5", "w", libver="latest") as f:
          rows = lambda first: space((9, 4), (first, 0), (3, 4))
          make(f, "stacked", space((9, 4)), (rows(0), "sparse0.h5", "d", whole),
              (rows(3), "sparse1.h5", "d", whole), (rows(6), "missing.h5", "d", whole))
          make(f, "mixed", space((9, 4)), (rows(0), "sparse0.h5", "d", whole),
              (rows(3), "dense.h5", "d", whole), (rows(6), "dense.h5", "missing", whole))
          make(f, "dense", space((5, 4)), (space((5, 4), (1, 0), (3, 4)), "dense.h5", "d", whole))
          columns = space((12, 2), (0, 0), (12, 1))
          make(f, "flat", space((12, 2)), (columns, "sparse0.h5", "d", whole))
          comb = space((3, 4), (0, 1), (3, 2), (1, 2))
          make(f, "comb", space((2, 5)), (space((2, 5), (0, 1), (2, 3)), "sparse0.h5", "d", comb))
          make(f, "later", space((3, 4)), (whole, "sparse0.h5", "d", whole),
              (space((3, 4), (1, 0), (1, 4)), "sparse1.h5", "d", space((3, 4), (0, 0), (1, 4))))
          make(f, "lost", space((3, 4)), (whole, "sparse0.h5", "d", whole),
              (whole, "missing.h5", "d", whole))
          make(f, "nested", space((4, 4)),
              (space((4, 4), (1, 0), (2, 4)), ".", "stacked", space((9, 4), (2, 0), (2, 4))))
          make(f, "blocks", h5s.create_simple((6, 4), (U, 4)),
              (space((6, 4), (0, 0), (U, 1), (3, 1), (3, 4), (U, 4)), "sparse%b.h5", "d", whole))
      """;

  private static final long[][] DEFINED = {{0, 1}, {0, 2}, {1, 1}, {1, 3}, {2, 0}};

  @TempDir Path folder;

  @BeforeEach
  void makes_virtual_datasets_with_sparse_and_dense_sources() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(3, 4));
    for (int source = 0; source < 2; source++) {
      try (H5File file = H5File.create(folder.resolve("sparse" + source + ".h5"))) {
        int[] values = new int[DEFINED.length];
        Arrays.fill(values, source + 1);
        file.createDataset("d", spec.sparse(2, 3)).write(Selection.points(DEFINED), values);
      }
    }
    try (H5File file = H5File.create(folder.resolve("dense.h5"))) {
      file.createDataset("d", spec).write(Selection.all(), new int[12]);
    }
    Oracle.h5py().getFirst().run(folder, "-c", MAKE).expectSuccess();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void elements_are_defined_where_their_source_defines_them(int ranks) {
    List<Boolean> unused = LocalRanks.call(ranks, this::check);
  }

  private boolean check(Communicator world) {
    try (H5File file = H5File.open(folder.resolve("virtual.h5"), world)) {
      check(file, "stacked", Selection.all(), shifted(0, 3));
      check(file, "stacked", Selection.at(1, 0).extent(3, 4), "11 13 20 31 32");
      check(file, "mixed", Selection.all(), shifted(0) + " 30 31 32 33 40 41 42 43 50 51 52 53");
      check(file, "dense", Selection.all(), "10 11 12 13 20 21 22 23 30 31 32 33");
      check(file, "flat", Selection.all(), "10 20 50 70 80");
      check(file, "comb", Selection.all(), "01 03 11");
      check(file, "later", Selection.all(), "01 02 11 12 20");
      check(file, "lost", Selection.all(), shifted(0));
      check(file, "nested", Selection.all(), "10 21 22");
      check(file, "blocks", Selection.all(), shifted(0, 3));
      check(file, "stacked", Selection.none(), "");
      check(file, "stacked", Selection.at(6, 0).extent(3, 4), "");
    }
    return true;
  }

  /** Returns the coordinates of {@link #DEFINED}, shifted by each of the given numbers of rows. */
  private static String shifted(int... rows) {
    List<String> texts = new ArrayList<>();
    for (int row : rows) {
      for (long[] at : DEFINED) {
        texts.add((at[0] + row) + "" + at[1]);
      }
    }
    return String.join(" ", texts);
  }

  /** Compares the coordinates of defined elements, each a text of two digits. */
  private static void check(H5File file, String name, Selection among, String expected) {
    Dataset dataset = file.dataset(name);
    assertEquals(expected, text(dataset, dataset.defined(among)), name);
    assertEquals(expected, text(dataset, dataset.independent().defined(among)), name);
  }

  private static String text(Dataset dataset, Selection found) {
    List<String> texts = new ArrayList<>();
    long[] flat = found.toCoordinates(dataset.shape());
    for (int i = 0; i < flat.length; i += 2) {
      texts.add(flat[i] + "" + flat[i + 1]);
    }
    return String.join(" ", texts);
  }

  @Test
  void a_list_of_points_keeps_its_order_and_its_repetitions() {
    try (H5File file = H5File.open(folder.resolve("virtual.h5"))) {
      long[][] points = {{5, 0}, {8, 0}, {0, 1}, {0, 0}, {5, 0}};
      check(file, "stacked", Selection.points(points), "50 01 50");
    }
  }

  @Test
  void a_virtual_dataset_is_sparse_if_a_source_is() {
    try (H5File file = H5File.open(folder.resolve("virtual.h5"))) {
      for (String name : List.of("stacked", "mixed", "nested", "blocks", "lost")) {
        assertTrue(file.dataset(name).isSparse(), name);
        assertTrue(file.dataset(name).independent().isSparse(), name);
      }
      assertFalse(file.dataset("dense").isSparse());
    }
  }

  @Test
  void the_statistics_count_the_defined_elements() {
    try (H5File file = H5File.open(folder.resolve("virtual.h5"))) {
      assertEquals(10, file.dataset("stacked").statistics().defined());
      assertEquals(12, file.dataset("dense").statistics().defined());
    }
  }

  @Test
  void the_values_of_the_defined_elements_are_those_of_the_sources() {
    try (H5File file = H5File.open(folder.resolve("virtual.h5"))) {
      Dataset dataset = file.dataset("stacked");
      assertArrayEquals(
          new int[] {1, 1, 1, 1, 1, 2, 2, 2, 2, 2},
          dataset.readInts(dataset.defined(Selection.all())));
    }
  }
}
