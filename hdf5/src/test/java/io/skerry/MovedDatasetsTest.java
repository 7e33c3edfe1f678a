package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests handles of datasets that were moved while other datasets took their paths. */
class MovedDatasetsTest {
  private static final DatasetSpec SPEC = DatasetSpec.of(Datatype.I32, Shape.of(64)).chunked(16);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void ranks_that_write_to_different_datasets_of_one_path_are_refused(int ranks) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(folder.resolve("moved.h5"), world)) {
            Dataset moved = file.createDataset("/a", SPEC);
            file.move("/a", "/b");
            Dataset created = file.createDataset("/a", SPEC);
            Dataset mine = world.rank() == 0 ? moved : created;
            Selection place = Selection.at(4L * world.rank()).extent(2);
            CollectiveException refused =
                assertThrows(CollectiveException.class, () -> mine.write(place, new int[] {1, 2}));
            assertTrue(refused.getMessage().contains("headers=0x"), refused.getMessage());
            assertThrows(
                CollectiveException.class,
                () -> file.writeAll(List.of(DatasetWrite.of(mine, place, new int[] {1, 2}))));
            file.flush();
            assertArrayEquals(new int[64], moved.readInts(Selection.all()));
            assertArrayEquals(new int[64], created.readInts(Selection.all()));
            moved.write(place, new int[] {3, 4});
            assertArrayEquals(new int[] {3, 4}, moved.readInts(place));
          }
        });
  }
}
