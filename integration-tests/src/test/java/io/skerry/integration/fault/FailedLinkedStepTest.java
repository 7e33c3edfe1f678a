package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.CopyOption;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests operations that follow an external link while a file call fails on one rank. */
class FailedLinkedStepTest {
  private static final int ELEMENTS = 24;
  private static final List<String> LINKED = List.of("second.h5", "third.h5");

  @TempDir Path folder;

  /** An operation that follows the link through a second file to a third. */
  private enum Step {
    READ(file -> file.dataset("/near/by/far/data").readInts(Selection.all())),
    WRITE(file -> file.dataset("/near/by/far/data").write(Selection.all(), new int[ELEMENTS])),
    CREATE(file -> ((Group) file.object("/near/by/far")).createGroup("made")),
    COPY(file -> file.copy("/", file, "/copy", CopyOption.EXPAND_EXTERNAL)),
    COPY_OF_TARGET(file -> file.copy("/near/by/far/data", file, "/copy"));

    private final Consumer<H5File> step;

    Step(Consumer<H5File> step) {
      this.step = step;
    }
  }

  @BeforeEach
  void write() throws IOException {
    try (H5File file = H5File.create(folder.resolve("source.h5"))) {
      file.createGroup("/near/by");
      file.createExternalLink("/near/by/far", "second.h5", "/group/further");
    }
    try (H5File file = H5File.create(folder.resolve("second.h5"))) {
      file.createGroup("/group");
      file.createExternalLink("/group/further", "third.h5", "/");
    }
    try (H5File file = H5File.create(folder.resolve("third.h5"))) {
      file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(8))
          .write(Selection.all(), new int[ELEMENTS]);
    }
    for (String name : LINKED) {
      Files.copy(folder.resolve(name), folder.resolve(name + ".base"));
    }
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void a_file_call_that_fails_on_one_rank_ends_the_operation_on_all_ranks(Step step)
      throws IOException {
    for (int ranks : new int[] {1, 3}) {
      FailedCalls calls = new FailedCalls(folder.resolve("source.h5"), FileOptions.standard());
      int failed =
          calls.each(
              ranks,
              new FailedCalls.Trial(
                  (file, _) -> step.step.accept(file),
                  (file, _) ->
                      assertArrayEquals(
                          new int[ELEMENTS],
                          file.dataset("/near/by/far/data").readInts(Selection.all())),
                  this::check));
      assertTrue(failed > 2 * ranks, "calls that failed: " + failed);
    }
  }

  private void check(Path path) {
    List<String> findings = new ArrayList<>();
    Verification.of(path, finding -> findings.add(finding.toString()));
    try {
      for (String name : LINKED) {
        Path linked = folder.resolve(name);
        Verification.of(linked, finding -> findings.add(finding.toString()));
        Files.copy(folder.resolve(name + ".base"), linked, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertEquals(List.of(), findings);
  }
}
