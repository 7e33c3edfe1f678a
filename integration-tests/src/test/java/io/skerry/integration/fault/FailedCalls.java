package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileOptions;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Repeats an operation on copies of a file, and fails a different file call of one rank each time.
 * The operation must fail on all ranks or on none, and no rank may hang.
 */
record FailedCalls(Path source, FileOptions options) {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  /**
   * Returns the ranks on which calls fail: the first, which reads metadata for all, and the last,
   * or, with {@code -Pslow}, each rank.
   */
  static int[] victims(int ranks) {
    return THOROUGH
        ? IntStream.range(0, ranks).toArray()
        : IntStream.of(0, ranks - 1).distinct().toArray();
  }

  /** An operation during which a file call fails. */
  @FunctionalInterface
  interface Operation {
    /**
     * Runs the operation.
     *
     * @param ranks the communicator whose file calls fail
     */
    void run(H5File file, Communicator ranks);
  }

  /**
   * The steps of a repetition.
   *
   * @param operation the operation during which a file call fails
   * @param afterwards runs on all ranks after the operation, without failures
   * @param check examines the closed file
   */
  record Trial(Operation operation, Operation afterwards, Consumer<Path> check) {}

  /**
   * Fails each file call of an operation on each of the {@link #victims}.
   *
   * @return the number of operations that failed
   */
  int each(int ranks, Trial trial) throws IOException {
    int failed = 0;
    for (int victim : victims(ranks)) {
      int failing = 0;
      while (fails(ranks, victim, failing, trial)) {
        failing++;
      }
      failed += failing;
    }
    return failed;
  }

  /**
   * Makes file call number {@code failing} fail on a rank, and returns whether the operation
   * failed.
   */
  private boolean fails(int ranks, int victim, int failing, Trial trial) throws IOException {
    Path path = source.resolveSibling("failed-calls.h5");
    Files.copy(source, path);
    String what = "ranks=" + ranks + " rank=" + victim + " failing call=" + failing;
    List<Boolean> failed =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> LocalRanks.call(ranks, world -> run(world, path, victim, failing, trial)),
            () -> what);
    assertEquals(1, failed.stream().distinct().count(), what + ": ranks that failed: " + failed);
    try {
      trial.check.accept(path);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what, e);
    }
    Files.delete(path);
    return failed.getFirst();
  }

  private boolean run(Communicator world, Path path, int victim, int failing, Trial trial) {
    ArmedFault fault = new ArmedFault();
    Communicator probed = new ProbedCommunicator(world, fault);
    boolean failed = false;
    try (H5File file = H5File.openForWriting(path, probed, options)) {
      fault.arm(victim, failing, ArmedFault.Calls.ALL, FileProbe::deviceFails);
      try {
        trial.operation.run(file, probed);
      } catch (CollectiveException e) {
        failed = true;
      } finally {
        fault.disarm();
      }
      trial.afterwards.run(file, probed);
      return failed;
    } catch (CommitException e) {
      // Opening the file again completes or discards the flush.
      try (H5File file = H5File.openForWriting(path, world, options)) {
        trial.afterwards.run(file, world);
      }
      return true;
    }
  }
}
