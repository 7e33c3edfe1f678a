package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreateVirtualDatasetTest {
  @TempDir Path folder;

  private static DatasetSpec of(int mappings) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int i = 0; i < mappings; i++) {
      layout.map(
          Selection.at(i),
          VirtualSource.inSameFile("/source").select(Selection.at(mappings - 1 - i)));
    }
    return DatasetSpec.of(Datatype.I32, Shape.of(mappings)).virtual(layout.build());
  }

  private static void createSource(H5File file, int elements) {
    int[] values = new int[elements];
    for (int i = 0; i < elements; i++) {
      values[i] = i;
    }
    file.createDataset("source", DatasetSpec.of(Datatype.I32, Shape.of(elements)))
        .write(Selection.all(), values);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_new_virtual_dataset_is_read_before_and_after_the_file_is_closed(int ranks) {
    Path path = folder.resolve("f.h5");
    try (H5File file = H5File.create(folder.resolve("other.h5"))) {
      createSource(file, 5);
    }
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(
                Selection.at(1).extent(5),
                VirtualSource.of("other.h5", "/source").select(Selection.at(0).extent(5)))
            .build();
    int[] expected = {7, 0, 1, 2, 3, 4};
    List<Boolean> unused =
        LocalRanks.call(
            ranks,
            world -> {
              try (H5File file = H5File.create(path, world)) {
                Dataset dataset =
                    file.createDataset(
                        "virtual",
                        DatasetSpec.of(Datatype.I32, Shape.of(6))
                            .virtual(layout)
                            .fillValue((byte) 7, (byte) 0, (byte) 0, (byte) 0));
                assertArrayEquals(expected, dataset.readInts(Selection.all()));
                assertEquals(layout, dataset.virtualLayout().orElseThrow());
              }
              return true;
            });
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset("virtual");
      assertArrayEquals(expected, dataset.readInts(Selection.all()));
      assertEquals("virtual", dataset.storage().layout());
      assertEquals(layout, dataset.virtualLayout().orElseThrow());
    }
  }

  @Test
  void a_growing_mapping_to_the_same_file_is_created_while_the_file_is_written() {
    Path path = folder.resolve("f.h5");
    Shape open = Shape.of(new long[] {3}, new long[] {Shape.UNLIMITED});
    Selection growing = Selection.at(0).extent(Shape.UNLIMITED);
    try (H5File file = H5File.create(path)) {
      createSource(file, 4);
      VirtualLayout layout =
          VirtualLayout.builder()
              .map(growing, VirtualSource.inSameFile("source").select(growing))
              .build();
      Dataset dataset =
          file.createDataset("virtual", DatasetSpec.of(Datatype.I32, open).virtual(layout));
      assertEquals(3, dataset.shape().extent(0));
    }
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(new int[] {0, 1, 2, 3}, file.dataset("virtual").readInts(Selection.all()));
    }
  }

  @Test
  void a_scalar_can_be_virtual() {
    Path path = folder.resolve("f.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("source", DatasetSpec.of(Datatype.I32, Shape.scalar()))
          .write(Selection.all(), new int[] {42});
      VirtualLayout layout =
          VirtualLayout.builder().map(Selection.all(), VirtualSource.inSameFile("source")).build();
      file.createDataset("virtual", DatasetSpec.of(Datatype.I32, Shape.scalar()).virtual(layout));
    }
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(new int[] {42}, file.dataset("virtual").readInts(Selection.all()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void the_space_of_the_mappings_is_reused_after_the_dataset_is_deleted(int ranks)
      throws IOException {
    Path path = folder.resolve("f.h5");
    List<Boolean> unused =
        LocalRanks.call(
            ranks,
            world -> {
              try (H5File file = H5File.create(path, world)) {
                file.createDataset("virtual", of(20_000));
                file.flush();
                for (int i = 0; i < 5; i++) {
                  file.unlink("virtual");
                  file.flush();
                  file.createDataset("virtual", of(20_000));
                  file.flush();
                }
              }
              return true;
            });
    long size = Files.size(path);
    try (H5File file = H5File.create(folder.resolve("once.h5"))) {
      file.createDataset("virtual", of(20_000));
    }
    long once = Files.size(folder.resolve("once.h5"));
    assertTrue(once > 1 << 20, "the mappings must be larger than 1 MiB: " + once);
    assertTrue(size < 2 * once + 65_536, "size=" + size + " once=" + once);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_refused_creation_stores_no_mappings(int ranks) throws IOException {
    Path path = folder.resolve("f.h5");
    List<Boolean> unused =
        LocalRanks.call(
            ranks,
            world -> {
              try (H5File file = H5File.create(path, world)) {
                createSource(file, 3);
                RuntimeException e =
                    assertThrows(
                        RuntimeException.class, () -> file.createDataset("source", of(20_000)));
                assertTrue(e.getMessage().contains("the name is taken"), e.getMessage());
              }
              return true;
            });
    assertTrue(Files.size(path) < 65_536, "size=" + Files.size(path));
  }

  @Test
  void ranks_with_different_mappings_all_fail_and_create_nothing() {
    Path path = folder.resolve("f.h5");
    List<Boolean> unused = LocalRanks.call(3, world -> createDifferent(path, world));
    try (H5File file = H5File.open(path)) {
      assertEquals(
          List.of("late", "source"),
          file.root().links().stream().map(Group.Link::name).sorted().toList());
      assertArrayEquals(new int[] {2, 1, 0}, file.dataset("late").readInts(Selection.all()));
    }
  }

  private static boolean createDifferent(Path path, Communicator world) {
    try (H5File file = H5File.create(path, world)) {
      createSource(file, 3);
      VirtualLayout layout =
          VirtualLayout.builder()
              .map(
                  Selection.at(1),
                  VirtualSource.inSameFile("/source").select(Selection.at(world.rank() / 2)))
              .build();
      CollectiveException e =
          assertThrows(
              CollectiveException.class,
              () ->
                  file.createDataset(
                      "virtual", DatasetSpec.of(Datatype.I32, Shape.of(3)).virtual(layout)));
      assertTrue(e.getMessage().contains("1 mappings sha256="), e.getMessage());
      file.createDataset("late", of(3));
    }
    return true;
  }
}
