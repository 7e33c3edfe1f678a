package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads virtual datasets whose sources are virtual datasets, on many levels. */
class NestedVirtualTest {
  @TempDir Path folder;

  @Test
  void a_chain_of_32_virtual_datasets_is_read_and_a_longer_one_is_refused() {
    Path path = folder.resolve("chain.h5");
    make(path, 33, 1);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(new int[] {5}, file.dataset("/d32").readInts(Selection.all()));
      refused(file, "/d33", "a chain of more than 32 virtual datasets");
    }
  }

  @Test
  void sources_that_double_on_each_level_are_read() {
    Path path = folder.resolve("fan.h5");
    make(path, 8, 2);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(new int[] {5}, file.dataset("/d8").readInts(Selection.all()));
    }
  }

  private static void refused(H5File file, String path, String text) {
    RuntimeException e =
        assertThrows(RuntimeException.class, () -> file.dataset(path).readInts(Selection.all()));
    assertTrue(String.valueOf(e.getMessage()).contains(text), e.getMessage());
  }

  /** Creates a dataset, and virtual datasets that each map the previous dataset several times. */
  private static void make(Path path, int levels, int mappings) {
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d0", DatasetSpec.of(Datatype.I32, Shape.of(1)))
          .write(Selection.all(), new int[] {5});
      for (int level = 1; level <= levels; level++) {
        VirtualLayout.Builder layout = VirtualLayout.builder();
        for (int i = 0; i < mappings; i++) {
          layout.map(
              Selection.at(0),
              VirtualSource.inSameFile("/d" + (level - 1)).select(Selection.at(0)));
        }
        file.createDataset(
            "/d" + level, DatasetSpec.of(Datatype.I32, Shape.of(1)).virtual(layout.build()));
      }
    }
  }
}
