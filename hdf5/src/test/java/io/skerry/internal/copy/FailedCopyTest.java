package io.skerry.internal.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.CopyRun;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailedCopyTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(FormatBounds.class)
  void a_copy_that_fails_after_the_headers_leaves_no_space_behind(FormatBounds bounds)
      throws IOException {
    Path in =
        new CopyRun(folder)
            .made(
                "in.h5",
                file -> {
                  for (int i = 0; i < 20; i++) {
                    var unused = file.createGroup("/g/inner" + i + "/empty");
                  }
                  file.createDataset("/g/d", DatasetSpec.of(Datatype.I32, Shape.of(4)))
                      .write(Selection.all(), new int[4]);
                });
    Path out = folder.resolve("out.h5");
    try (H5File source = H5File.open(in);
        H5File target =
            H5File.create(out, Communicator.self(), FileOptions.standard().withBounds(bounds))) {
      ObjectCopier copier =
          ObjectCopier.between(source, target)
              .watchedBy(_ -> {
                throw new IllegalStateException("enough");
              });
      List<Long> sizes = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        assertThrows(RuntimeException.class, () -> copier.copy("/g", "/copy"));
        var unused = target.createGroup("/made" + i);
        target.flush();
        sizes.add(Files.size(out));
      }
      long growth = sizes.get(5) - sizes.get(2);
      assertTrue(growth < 3 * 1000, sizes.toString());
    }
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(out, findings::add);
    assertEquals(List.of(), findings);
  }
}
