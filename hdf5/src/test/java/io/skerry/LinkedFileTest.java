package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the file of objects to which external links lead. */
class LinkedFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void datasets_of_one_linked_file_are_written_together(int ranks) {
    Path path = folder.resolve("links.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(folder.resolve("linked.h5"), world)) {
            for (String name : List.of("/x", "/y")) {
              Dataset unused =
                  file.createDataset(name, DatasetSpec.of(Datatype.I32, Shape.of(2)).chunked(2));
            }
          }
          try (H5File file = H5File.create(path, world)) {
            file.createExternalLink("/a", "linked.h5", "/x");
            file.createExternalLink("/b", "linked.h5", "/y");
          }
          try (H5File file = H5File.openForWriting(path, world)) {
            Dataset x = file.dataset("/a");
            Dataset y = file.dataset("/b");
            assertEquals(x.file(), y.file());
            assertEquals(x.file().hashCode(), y.file().hashCode());
            assertNotEquals(file, x.file());
            Selection mine = world.rank() == 0 ? Selection.all() : Selection.none();
            int count = world.rank() == 0 ? 2 : 0;
            x.file()
                .writeAll(
                    List.of(
                        DatasetWrite.of(x, mine, count == 0 ? new int[0] : new int[] {1, 2}),
                        DatasetWrite.of(y, mine, count == 0 ? new int[0] : new int[] {3, 4})));
            assertArrayEquals(new int[] {1, 2}, x.readInts(Selection.all()));
            assertArrayEquals(new int[] {3, 4}, y.readInts(Selection.all()));
          }
        });
  }
}
