package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that datasets whose storage is too small for their elements are refused. */
class CraftedStorageTest {
  private static final long ELEMENTS = 12345;

  @TempDir Path folder;

  @Test
  void a_block_that_is_smaller_than_its_elements_is_refused() {
    CraftedFile file = CraftedFile.of(made(DatasetSpec.of(Datatype.I64, Shape.of(ELEMENTS))));
    file.u64(file.only(8 * ELEMENTS), 8 * ELEMENTS - 1);
    refused(
        file.store(),
        "bytes of contiguous data: expected=at least 12345 elements of 8 bytes actual=98759");
  }

  @Test
  void compact_data_that_are_shorter_than_their_elements_are_refused() {
    CraftedFile file = CraftedFile.of(made(DatasetSpec.of(Datatype.I64, Shape.of(123)).compact()));
    // Changes the extent and the maximum extent.
    file.all(new byte[] {123, 0, 0, 0, 0, 0, 0, 0}).forEach(at -> file.u64(at, 124));
    refused(
        file.store(),
        "bytes of compact data: expected=at least 124 elements of 8 bytes actual=984");
  }

  @Test
  void a_dataset_without_elements_needs_no_storage() {
    Path path = folder.resolve("null.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", DatasetSpec.withoutElements(Datatype.I64));
    }
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      assertTrue(file.dataset("/d").isNull());
      assertEquals(0, file.dataset("/d").statistics().elements());
      file.unlink("/d");
    }
  }

  private Path made(DatasetSpec spec) {
    Path path = folder.resolve("crafted.h5");
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset("/d", spec);
      dataset.write(Selection.all(), new long[(int) dataset.shape().elements()]);
    }
    return path;
  }

  private static void refused(Path path, String text) {
    try (H5File file = H5File.open(path)) {
      FormatException e =
          CraftedFile.refused(() -> file.dataset("/d").readLongs(Selection.all()), text);
      assertEquals("/d", e.object().orElseThrow());
    }
  }
}
