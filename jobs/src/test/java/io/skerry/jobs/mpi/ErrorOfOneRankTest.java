package io.skerry.jobs.mpi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.run.ErrorAtEachCall;
import io.skerry.mpi.MpiInstallation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An error of one rank between the collective calls of {@code mpi}. */
class ErrorOfOneRankTest {
  @TempDir Path folder;

  @Test
  void mpi_ends_on_all_ranks() throws Exception {
    MpiInstallation threads =
        new MpiInstallation("local", "none", "threads", "3.1", "FUNNELED", List.of());
    long calls =
        ErrorAtEachCall.check(
            folder,
            (world, to) -> {
              var unused = new MpiJob(world, threads, Map.of()).run(to);
            });
    assertTrue(calls > 5, "calls=" + calls);
  }
}
