package io.skerry.jobs.copy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.ErrorAtEachCall;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An error of one rank between the collective calls of {@code convert} and {@code repack}. */
class ErrorOfOneRankTest {
  @TempDir Path folder;

  @BeforeEach
  void create_input() {
    try (H5File file = H5File.create(folder.resolve("in.h5"))) {
      file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(64)).chunked(8))
          .write(Selection.all(), new int[64]);
    }
  }

  @Test
  void convert_ends_on_all_ranks() throws Exception {
    long calls =
        ErrorAtEachCall.check(
            folder,
            (world, to) -> {
              ConvertOptions options =
                  new ConvertOptions(
                      2,
                      folder.resolve("in.h5"),
                      Trust.SAME_FOLDER,
                      "/data",
                      to.resolve("out.h5"),
                      "/data",
                      ConvertOptions.Kind.SPARSE,
                      Optional.empty(),
                      Optional.of("0"),
                      WorkLimit.standard(),
                      List.of(),
                      ReportForm.JSON);
              var unused = new ConvertJob(options, Map.of()).run(world);
            });
    assertTrue(calls > 50, "calls=" + calls);
  }

  @Test
  void repack_ends_on_all_ranks() throws Exception {
    long calls =
        ErrorAtEachCall.check(
            folder,
            (world, to) -> {
              RepackOptions options =
                  new RepackOptions(
                      2,
                      folder.resolve("in.h5"),
                      Trust.SAME_FOLDER,
                      to.resolve("out.h5"),
                      ExistingOutput.KEPT,
                      List.of(),
                      ReportForm.JSON);
              var unused = new RepackJob(options, Map.of()).run(world);
            });
    assertTrue(calls > 50, "calls=" + calls);
  }
}
