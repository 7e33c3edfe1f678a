package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.frame.FrameSource;
import io.skerry.jobs.run.ErrorAtEachCall;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An error of one rank between the collective calls of {@code lcls}. */
class ErrorOfOneRankTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(LclsOptions.Placement.class)
  void lcls_ends_on_all_ranks(LclsOptions.Placement placement) throws Exception {
    long calls =
        ErrorAtEachCall.check(
            folder,
            (world, to) -> {
              LclsOptions options =
                  new LclsOptions(
                      2,
                      new FrameSource.Synthetic(new FrameShape(3, 24, 24), 7),
                      1,
                      LclsOptions.Mode.ROI,
                      OptionalInt.of(2),
                      placement,
                      to.resolve("out.h5"),
                      LclsOptions.ReportFormat.JSON,
                      Optional.empty(),
                      LclsOptions.Progress.NONE,
                      ExistingOutput.KEPT,
                      LclsOptions.Start.NEW);
              var unused = LclsJob.run(options, world, Map.of(), FrameReader::open, () -> false);
            });
    assertTrue(calls > 50, "calls=" + calls);
  }
}
