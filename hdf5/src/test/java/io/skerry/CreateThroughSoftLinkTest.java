package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that objects are created in the target groups of soft links of the file, as in HDF5. */
class CreateThroughSoftLinkTest {
  private static final DatasetSpec SPEC = DatasetSpec.of(Datatype.I32, Shape.of(2));

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void objects_are_created_in_the_group_that_a_soft_link_leads_to(int ranks) {
    Path path = folder.resolve("soft" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Group target = file.createGroup("/deep/group");
            file.createSoftLink("/deep/relative", "group");
            file.createSoftLink("/absolute", "/deep/relative");
            Group soft = file.group("/absolute");
            assertEquals("/absolute/inner", soft.createGroup("inner").path());
            assertEquals("/absolute/inner", soft.createGroup("inner").path());
            assertEquals(target.address(), file.createGroup("/absolute").address());
            boolean writes = world.rank() == 0;
            soft.createDataset("data", SPEC)
                .write(
                    writes ? Selection.all() : Selection.none(),
                    writes ? new int[] {7, 8} : new int[0]);
            file.copy("/deep/group/data", soft, "copied");
            Group parents = file.createGroup("/deep/relative/new/parents");
            file.createDatatype("/absolute/new/type", Datatype.F32);
            file.createSoftLink("/absolute/back", "/absolute");
            file.createHardLink("/absolute/back/hard", "/deep/group/data");
            file.move("/deep/group/inner", "/absolute/moved");
            assertEquals("/deep/relative/new/parents", parents.path());
          }
          try (H5File file = H5File.open(path, world)) {
            assertEquals(List.of("absolute", "deep"), names(file.root()));
            assertEquals(
                List.of("back", "copied", "data", "hard", "moved", "new"),
                names(file.group("/deep/group")));
            assertEquals(List.of("parents", "type"), names(file.group("/deep/group/new")));
            for (String name : List.of("data", "copied", "hard")) {
              assertArrayEquals(
                  new int[] {7, 8}, file.dataset("/deep/group/" + name).readInts(Selection.all()));
            }
          }
        });
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
  }

  @Test
  void a_link_that_leads_to_no_group_of_the_file_is_refused() {
    Path path = folder.resolve("refused.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/data", SPEC);
      file.createSoftLink("/nowhere", "/nothing");
      file.createSoftLink("/circle", "/circle");
      file.createSoftLink("/soft", "/data");
      file.createSoftLink("/away", "/external/group");
      file.createExternalLink("/external", "other.h5", "/");
      for (String link : List.of("/nowhere", "/circle", "/soft")) {
        refused(NoSuchObjectException.class, file, f -> f.createGroup(link));
        refused(NoSuchObjectException.class, file, f -> f.createDataset(link + "/new", SPEC));
      }
      for (String link : List.of("/external", "/away")) {
        refused(UnsupportedFeatureException.class, file, f -> f.createGroup(link + "/new"));
      }
      refused(IllegalStateException.class, file, f -> f.createDataset("/nowhere", SPEC));
      refused(IllegalStateException.class, file, f -> f.copy("/data", f, "/soft"));
    }
    try (H5File file = H5File.open(path)) {
      assertEquals(
          List.of("away", "circle", "data", "external", "nowhere", "soft"), names(file.root()));
    }
  }

  @Test
  void a_group_is_not_moved_into_itself_through_a_soft_link() {
    Path path = folder.resolve("moved.h5");
    try (H5File file = H5File.create(path)) {
      Group unused = file.createGroup("/a/b");
      file.createSoftLink("/to a", "/a");
      file.createSoftLink("/to b", "/a/b");
      for (String link : List.of("/to a", "/to b")) {
        refused(IllegalArgumentException.class, file, f -> f.move("/a", link + "/c"));
      }
      assertEquals(List.of("b"), names(file.group("/a")));
    }
  }

  private static void refused(
      Class<? extends RuntimeException> cause, H5File file, Consumer<H5File> step) {
    CollectiveException thrown = assertThrows(CollectiveException.class, () -> step.accept(file));
    assertInstanceOf(cause, thrown.getCause());
  }

  private static List<String> names(Group group) {
    return group.links().stream().map(Group.Link::name).toList();
  }
}
