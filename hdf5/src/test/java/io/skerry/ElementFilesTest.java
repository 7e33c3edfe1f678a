package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElementFilesTest {
  @TempDir Path folder;

  private Set<String> files(VirtualView view) {
    FileOptions options = FileOptions.standard().withVirtualView(view);
    Set<String> names = new TreeSet<>();
    try (H5File file = H5File.open(folder.resolve("all.h5"), Communicator.self(), options)) {
      file.dataset("/v").elementFiles().forEach(path -> names.add(path.getFileName().toString()));
    }
    return names;
  }

  @Test
  void files_behind_a_gap_belong_to_the_dataset_only_if_the_view_permits_gaps() {
    for (int block : new int[] {0, 1, 3}) {
      try (H5File file = H5File.create(folder.resolve("part" + block + ".h5"))) {
        Dataset unused = file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(2)));
      }
    }
    Selection blocks = Selection.at(0).stride(2).count(Shape.UNLIMITED).block(2);
    try (H5File file = H5File.create(folder.resolve("all.h5"))) {
      Dataset unused =
          file.createDataset(
              "/v",
              DatasetSpec.of(Datatype.I32, Shape.of(8).unlimited(0))
                  .virtual(
                      VirtualLayout.builder()
                          .map(blocks, VirtualSource.of("part%b.h5", "/d"))
                          .build()));
    }
    Set<String> near = Set.of("part0.h5", "part1.h5");
    assertEquals(near, files(VirtualView.standard()));
    assertEquals(
        Set.of("part0.h5", "part1.h5", "part3.h5"),
        files(new VirtualView(VirtualView.End.LAST_AVAILABLE, 1)));
    assertEquals(near, files(new VirtualView(VirtualView.End.FIRST_MISSING, 1)));
  }

  @Test
  void the_sources_of_a_dataset_are_not_opened_after_its_file_is_closed() {
    DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(2));
    try (H5File file = H5File.create(folder.resolve("part.h5"))) {
      Dataset unused = file.createDataset("/d", plain);
    }
    VirtualLayout layout =
        VirtualLayout.builder().map(Selection.all(), VirtualSource.of("part.h5", "/d")).build();
    Dataset virtual;
    try (H5File file = H5File.create(folder.resolve("all.h5"))) {
      virtual = file.createDataset("/v", plain.virtual(layout));
      assertEquals(1, virtual.elementFiles().size());
    }
    assertThrows(IllegalStateException.class, virtual::elementFiles);
  }
}
