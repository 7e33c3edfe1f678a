package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that names that a file cannot store are refused immediately, not by the next flush. */
class UnstorableNamesTest {
  private static final String LONG = "n".repeat(70_000);

  @TempDir Path folder;

  private static Attribute ofManyMembers() {
    List<Compound.Member> members = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      members.add(new Compound.Member("a member " + i, i, Datatype.U8));
    }
    Compound type = new Compound(4_000, members);
    return Attribute.of("many", type, Shape.scalar(), MemorySegment.ofArray(new byte[4_000]));
  }

  private static Datatype ofEqualMembers() {
    return VariableLength.sequence(
        new Compound(
            2,
            List.of(
                new Compound.Member("same", 0, Datatype.U8),
                new Compound.Member("same", 1, Datatype.U8))));
  }

  @ParameterizedTest
  @EnumSource(FormatBounds.class)
  void links_and_attributes_are_refused_at_once_and_later_flushes_work(FormatBounds bounds) {
    Path path = folder.resolve("names.h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file =
              H5File.create(path, world, FileOptions.standard().withBounds(bounds))) {
            file.root().setAttribute(Attribute.of("kept", 1));
            List<Runnable> wrong =
                List.of(
                    () -> file.createGroup("/a\0b"),
                    () -> file.createGroup("/" + LONG),
                    () -> file.createSoftLink("/soft", LONG),
                    () -> file.createSoftLink("/soft", "a\0b"),
                    () -> file.createExternalLink("/external", "a\0b", "/x"),
                    () -> file.createExternalLink("/external", "x.h5", LONG),
                    () -> file.root().setAttribute(Attribute.of("a\0b", 1)),
                    () -> file.root().setAttribute(Attribute.of(LONG, 1)),
                    () -> file.root().renameAttribute("kept", "a\0b"),
                    () -> file.root().setAttribute(ofManyMembers()),
                    () -> file.createDatatype("/type", ofEqualMembers()),
                    () ->
                        file.createDataset("/data", DatasetSpec.of(ofEqualMembers(), Shape.of(1))));
            for (Runnable call : wrong) {
              assertThrows(CollectiveException.class, call::run);
              file.flush();
            }
          }
          try (H5File file = H5File.open(path, world)) {
            assertEquals(List.of(), file.root().links());
            assertEquals(1, file.root().attributes().size());
          }
        });
  }
}
