package io.skerry.jobs.pca;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.ErrorAtEachCall;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error of one rank between the collective calls of {@code pca}. */
class ErrorOfOneRankTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {3, 16})
  void pca_ends_on_all_ranks(int frames) throws Exception {
    try (H5File file = H5File.create(folder.resolve("in.h5"))) {
      int[] values = IntStream.range(0, frames * 9).map(i -> i * i % 17).toArray();
      file.createDataset("/p", DatasetSpec.of(Datatype.I32, Shape.of(frames, 3, 3)))
          .write(Selection.all(), values);
    }
    long calls =
        ErrorAtEachCall.check(
            folder,
            (world, to) -> {
              PcaOptions options =
                  new PcaOptions(
                      2,
                      folder.resolve("in.h5"),
                      Trust.SAME_FOLDER,
                      "/p",
                      2,
                      Centering.MEAN,
                      OptionalDouble.empty(),
                      to.resolve("out.h5"),
                      Optional.empty(),
                      ExistingOutput.KEPT,
                      ReportForm.JSON);
              MemoryBudget budget = MemoryBudget.of(world, Map.of());
              var unused = new PcaJob(options, budget, Map.of()).run(world);
            });
    assertTrue(calls > 50, "calls=" + calls);
  }
}
