package io.skerry.jobs.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Ranks;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests failures to get the size of the input, which determines the limit of {@code convert}. */
class ConvertLimitTest {
  @TempDir Path folder;

  /** Fails the size request with the given number. */
  private static final class FailedSize implements FileProbe {
    private final int failing;
    private int calls;

    FailedSize(int failing) {
      this.failing = failing;
    }

    @Override
    public synchronized Optional<MpiException> before(
        int rank, FileCall call, FileView view, MemorySegment data) {
      return call == FileCall.SIZE && calls++ == failing
          ? Optional.of(FileProbe.deviceFails(rank, call))
          : Optional.empty();
    }
  }

  /**
   * The outcome on one rank.
   *
   * @param failed true if the conversion failed
   * @param asked true if the rank made the size request that must fail
   */
  private record Outcome(boolean failed, boolean asked) {}

  @Test
  void a_size_that_one_rank_cannot_find_out_is_an_error_of_all_ranks_or_of_none()
      throws IOException {
    try (H5File file = H5File.create(folder.resolve("in.h5"))) {
      file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(64)).chunked(8))
          .write(Selection.all(), new int[64]);
    }
    for (int victim = 0; victim < 2; victim++) {
      int failing = 0;
      while (fails(victim, failing)) {
        failing++;
      }
      assertTrue(victim > 0 || failing > 0, "requests that failed: " + failing);
    }
  }

  /** Returns true if the given rank made the size request that must fail. */
  private boolean fails(int victim, int failing) throws IOException {
    String what = "rank=" + victim + " failing request=" + failing;
    List<Outcome> outcomes =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () ->
                LocalRanks.call(
                    2,
                    world -> {
                      FailedSize probe = new FailedSize(world.rank() == victim ? failing : -1);
                      boolean thrown = throwsException(new ProbedCommunicator(world, probe));
                      return new Outcome(thrown, probe.calls > failing);
                    }),
            () -> what);
    assertEquals(1, outcomes.stream().map(Outcome::failed).distinct().count(), what + outcomes);
    Files.deleteIfExists(folder.resolve("out.h5"));
    return outcomes.get(victim).asked();
  }

  private boolean throwsException(Communicator world) {
    ConvertOptions options =
        new ConvertOptions(
            Ranks.of(2),
            folder.resolve("in.h5"),
            Trust.ALL,
            "/data",
            folder.resolve("out.h5"),
            "/sparse",
            ConvertOptions.Kind.SPARSE,
            Optional.empty(),
            Optional.empty(),
            WorkLimit.standard(),
            List.of(),
            ReportForm.TEXT);
    try {
      var unused = new ConvertJob(options, Map.of()).run(world);
      return false;
    } catch (CollectiveException | JobException e) {
      return true;
    }
  }
}
