package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that groups opened through an external link have their path in the target file. */
class ExternalGroupTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void objects_are_created_below_the_target_of_the_link(int ranks) {
    Path target = folder.resolve("target.h5");
    Path linking = folder.resolve("linking.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(target, world)) {
            Group unused = file.createGroup("/deep/group");
            file.createSoftLink("/deep/soft", "/deep/group");
          }
          try (H5File file = H5File.create(linking, world)) {
            file.createExternalLink("/there", "target.h5", "/deep/soft/");
            Dataset source = file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(2)));
            source.write(Selection.all(), world.rank() == 0 ? new int[] {1, 2} : new int[2]);
          }
          try (H5File file = H5File.openForWriting(linking, world)) {
            Group there = file.group("/there");
            assertEquals("/deep/group", there.path());
            assertEquals("/deep/group/inner", there.createGroup("inner").path());
            Dataset made = there.createDataset("data", DatasetSpec.of(Datatype.I32, Shape.of(3)));
            made.write(
                world.rank() == 0 ? Selection.all() : Selection.none(),
                world.rank() == 0 ? new int[] {7, 8, 9} : new int[0]);
            file.copy("/d", there, "copied");
            assertEquals("/deep/group/data", file.dataset("/there/data").path());
          }
          try (H5File file = H5File.open(target, world)) {
            assertEquals(List.of("deep"), names(file.root()));
            assertEquals(List.of("copied", "data", "inner"), names(file.group("/deep/group")));
            assertArrayEquals(
                new int[] {7, 8, 9}, file.dataset("/deep/group/data").readInts(Selection.all()));
          }
        });
  }

  private static List<String> names(Group group) {
    return group.links().stream().map(Group.Link::name).toList();
  }
}
