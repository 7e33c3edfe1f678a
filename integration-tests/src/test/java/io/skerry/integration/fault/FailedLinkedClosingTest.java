package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests closing a file and the files that it links to while a file call fails on one rank. */
class FailedLinkedClosingTest {
  private static final int ELEMENTS = 24;
  private static final List<String> LINKED = List.of("first", "second");

  @TempDir Path folder;

  @BeforeEach
  void write() {
    try (H5File file = H5File.create(folder.resolve("source.h5"))) {
      for (String name : LINKED) {
        file.createExternalLink("/" + name, name + ".h5", "/data");
      }
      create(file);
    }
    for (String name : LINKED) {
      try (H5File file = H5File.create(folder.resolve(name + ".h5"))) {
        create(file);
      }
    }
  }

  private static void create(H5File file) {
    file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(8));
  }

  @Test
  void a_failed_closing_of_one_file_closes_all_of_them_on_all_ranks() throws IOException {
    for (int ranks : new int[] {1, 3}) {
      FailedCalls calls = new FailedCalls(folder.resolve("source.h5"), FileOptions.standard());
      int failed =
          calls.each(
              ranks,
              new FailedCalls.Trial(
                  (file, _) -> writeAndClose(file), (_, _) -> {}, path -> check(path)));
      assertTrue(failed > 2 * ranks, "calls that failed: " + failed);
    }
  }

  private static void writeAndClose(H5File file) {
    for (String path : List.of("/data", "/first", "/second")) {
      file.dataset(path).write(Selection.all(), new int[ELEMENTS]);
    }
    file.close();
  }

  private void check(Path path) {
    List<String> findings = new ArrayList<>();
    for (Path each : List.of(path, folder.resolve("first.h5"), folder.resolve("second.h5"))) {
      // A file that is still open is locked.
      H5File.openForWriting(each, Communicator.self()).close();
      Verification.of(each, finding -> findings.add(finding.toString()));
    }
    assertEquals(List.of(), findings);
  }
}
