package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.exception.FormatException;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads virtual datasets with unlimited mappings and very large extents. */
class UnlimitedMappingsTest {
  private static final long ROWS = 1_000_000_000;

  /**
   * In "blocks", row {@code 2 n} comes from file {@code n}, and the last row from file 0. The other
   * mappings end beyond 2^63-1.
   */
  private static final String MAKE =
      """
      import h5py, numpy as np
      from h5py import h5d, h5p, h5s, h5t
      U = h5s.UNLIMITED
      for i in range(3):
          with h5py.File("part%d.h5" % i, "w", libver="latest") as f:
              f.create_dataset("d", data=np.arange(4, dtype="<i4") + 10 * i, maxshape=(None,))
      def make(name, rows, *mappings):
          p = h5p.create(h5p.DATASET_CREATE)
          space = h5s.create_simple((rows, 4), (U, 4))
          for source, file, (start, stride, count, block) in mappings:
              selected = space.copy()
              selected.select_hyperslab((start, 0), (count, 1), (stride, 1), (block, 4))
              p.set_virtual(selected, file.encode(), b"d", source)
          h5d.create(f.id, name.encode(), h5t.STD_I32LE, space, p)
      with h5py.File("virtual.h5", "w", libver="latest") as f:
          four = h5s.create_simple((4,), (4,))
          make("blocks", 10**9, (four, "part%b.h5", (0, 2, U, 1)),
              (four, "part0.h5", (10**9 - 1, 1, 1, 1)))
          make("far", 4, (four, "part%b.h5", (0, 2**62, U, 1)))
          slices = h5s.create_simple((4,), (U,))
          slices.select_hyperslab((0,), (U,), (1,), (1,))
          p = h5p.create(h5p.DATASET_CREATE)
          space = h5s.create_simple((4,), (U,))
          space.select_hyperslab((0,), (U,), (2**62,), (1,))
          p.set_virtual(space, b"part1.h5", b"d", slices)
          h5d.create(f.id, b"sparse", h5t.STD_I32LE, space, p)
      """;

  @TempDir Path folder;

  @BeforeEach
  void makes_virtual_datasets() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    Oracle.h5py().getFirst().run(folder, "-c", MAKE).expectSuccess();
  }

  @Test
  void a_read_visits_only_the_blocks_that_it_needs() {
    try (H5File file = H5File.open(folder.resolve("virtual.h5"))) {
      Dataset dataset = file.dataset("blocks");
      assertEquals(Shape.of(ROWS, 4).unlimited(0), dataset.shape());
      int[] read =
          assertTimeoutPreemptively(
              Duration.ofSeconds(20),
              () ->
                  dataset.readInts(
                      Selection.points(
                          new long[][] {
                            {0, 3}, {ROWS - 1, 1}, {4, 2}, {1, 0}, {2, 1}, {6, 0}, {ROWS - 2, 3}
                          })));
      assertArrayEquals(new int[] {3, 1, 22, 0, 11, 0, 0}, read);
      assertArrayEquals(
          new int[] {1, 0, 11, 0, 21, 0, 0}, dataset.readInts(Selection.at(0, 1).extent(7, 1)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"far", "sparse"})
  void a_mapping_that_ends_beyond_the_largest_extent_is_refused_by_name(String name) {
    CollectiveException e =
        assertThrows(
            CollectiveException.class,
            () -> {
              try (H5File file = H5File.open(folder.resolve("virtual.h5"))) {
                int[] unused = file.dataset(name).readInts(Selection.all());
              }
            });
    assertInstanceOf(FormatException.class, e.getCause());
    String source = name.equals("far") ? "part%b.h5:d" : "part1.h5:d";
    assertTrue(e.getMessage().contains(source), e::getMessage);
    assertTrue(e.getMessage().contains("2^63-1"), e::getMessage);
  }
}
