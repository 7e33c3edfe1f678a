package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a dataset or named datatype is not used as a group. */
class CreateBelowDatasetTest {
  private static final DatasetSpec SPEC = DatasetSpec.of(Datatype.I32, Shape.of(3));

  @TempDir private Path folder;

  private static List<Consumer<H5File>> creations() {
    return List.of(
        file -> file.createGroup("/d"),
        file -> file.createGroup("/t"),
        file -> file.createGroup("/d/g"),
        file -> file.createGroup("/d/g", LinkOrder.TRACKED),
        file -> file.createGroup("/t/g/h"),
        file -> file.createDataset("/d/e", SPEC),
        file -> file.createDatatype("/d/f", Datatype.F64),
        file -> file.createHardLink("/d/h", "/g"),
        file -> file.createSoftLink("/d/s", "/g"),
        file -> file.move("/g", "/d/moved"));
  }

  @ParameterizedTest
  @EnumSource(FormatBounds.class)
  void nothing_is_created_below_a_dataset_or_named_datatype(FormatBounds bounds) {
    Path path = folder.resolve(bounds + ".h5");
    try (H5File file =
        H5File.create(path, Communicator.self(), FileOptions.standard().withBounds(bounds))) {
      file.createDataset("/d", SPEC).write(Selection.all(), new int[] {1, 2, 3});
      file.createDatatype("/t", Datatype.F32);
      Group group = file.createGroup("/g");
      assertEquals("/g", group.path());
      for (Consumer<H5File> creation : creations()) {
        RuntimeException thrown =
            assertThrows(CollectiveException.class, () -> creation.accept(file));
        assertTrue(thrown.getMessage().contains("not a group"), thrown.getMessage());
      }
    }
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
    try (H5File file = H5File.open(path)) {
      assertEquals(3, file.root().links().size());
      assertArrayEquals(new int[] {1, 2, 3}, file.dataset("/d").readInts(Selection.all()));
    }
  }
}
