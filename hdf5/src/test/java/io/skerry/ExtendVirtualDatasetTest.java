package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the extent of virtual datasets changes as with {@code H5Dset_extent}. */
class ExtendVirtualDatasetTest {
  private static final long U = Shape.UNLIMITED;

  @TempDir Path folder;

  private Path make(VirtualLayout.Builder layout, Shape shape) {
    try (H5File file = H5File.create(folder.resolve("s.h5"))) {
      file.createDataset(
              "/d",
              DatasetSpec.of(Datatype.I32, Shape.of(new long[] {2}, new long[] {U})).chunked(2))
          .write(Selection.all(), new int[] {1, 2});
    }
    try (H5File file = H5File.create(folder.resolve("v.h5"))) {
      Dataset unused =
          file.createDataset("/v", DatasetSpec.of(Datatype.I32, shape).virtual(layout.build()));
    }
    return folder.resolve("v.h5");
  }

  private static String refused(Dataset dataset, long... extent) {
    return String.valueOf(
        assertThrows(CollectiveException.class, () -> dataset.extendTo(extent)).getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void the_stored_extent_changes_and_new_elements_have_the_fill_value(int ranks) {
    Path path =
        make(
            VirtualLayout.builder().map(Selection.at(0).extent(2), VirtualSource.of("s.h5", "/d")),
            Shape.of(new long[] {2}, new long[] {5}));
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.openForWriting(path, world)) {
            Dataset dataset = file.dataset("/v");
            dataset.extendTo(4);
            assertArrayEquals(new int[] {1, 2, 0, 0}, dataset.readInts(Selection.all()));
            dataset.extendTo(3);
            String small = refused(dataset, 1);
            assertTrue(small.contains("extent=1 expected at least=2"), small);
            String large = refused(dataset, 6);
            assertTrue(large.contains("6"), large);
          }
        });
    try (H5File file = H5File.open(path)) {
      assertEquals(Shape.of(new long[] {3}, new long[] {5}), file.dataset("/v").shape());
      assertArrayEquals(new int[] {1, 2, 0}, file.dataset("/v").readInts(Selection.all()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void the_sources_determine_the_extent_of_unlimited_mappings(int ranks) {
    Selection all = Selection.at(0).extent(U);
    Path path =
        make(
            VirtualLayout.builder().map(all, VirtualSource.of("s.h5", "/d").select(all)),
            Shape.of(new long[] {2}, new long[] {U}));
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.openForWriting(path, world)) {
            String text = refused(file.dataset("/v"), 5);
            assertTrue(text.contains("sources of unlimited mappings determine the extent"), text);
          }
        });
  }
}
