package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.jobs.run.Agreement;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Mpi;
import io.skerry.parallel.CollectiveException;
import io.skerry.testkit.launch.MpirunLauncher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A failure that was agreed in a communicator of one rank is not known to the other ranks. */
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailureOfOneRankTest {
  @TempDir Path folder;

  @Test
  void the_failure_of_a_file_is_agreed_among_the_ranks_that_have_it_open() {
    Path path = folder.resolve("ranks.h5");
    H5File.create(path).close();
    LocalRanks.run(
        2,
        world -> {
          for (int ranks : List.of(1, 2)) {
            try (var some = world.split(ranks == 1 ? world.rank() : 0, 0);
                H5File file = H5File.open(path, some)) {
              for (Runnable step :
                  List.<Runnable>of(() -> file.dataset("/missing"), () -> file.dataset("/"))) {
                var missing = assertThrows(NoSuchObjectException.class, step::run);
                assertTrue(missing.isAgreedAmong(ranks));
                assertFalse(missing.isAgreedAmong(ranks + 1));
              }
              var unopened =
                  assertThrows(
                      CollectiveException.class,
                      () -> H5File.open(folder.resolve("absent.h5"), some));
              assertTrue(unopened.isAgreedAmong(ranks));
              assertFalse(unopened.isAgreedAmong(ranks + 1));
            }
          }
        });
  }

  @Test
  void a_resource_stays_open_after_a_failure_that_only_one_rank_knows() {
    Path absent = folder.resolve("absent.h5");
    Collection<Integer> closed = new ConcurrentLinkedQueue<>();
    assertThrows(
        CollectiveException.class,
        () ->
            LocalRanks.run(
                2,
                world ->
                    Agreement.using(
                        world,
                        "resource",
                        _ -> closed.add(world.rank()),
                        _ -> {
                          if (world.rank() == 1) {
                            H5File.open(absent).close();
                          }
                          return 0;
                        })));
    assertEquals(List.of(0), List.copyOf(closed));
  }

  @Test
  void a_resource_is_closed_after_a_failure_that_all_ranks_know() {
    Path absent = folder.resolve("absent.h5");
    Collection<Integer> closed = new ConcurrentLinkedQueue<>();
    assertThrows(
        CollectiveException.class,
        () ->
            LocalRanks.run(
                2,
                world ->
                    Agreement.using(
                        world,
                        "resource",
                        _ -> closed.add(world.rank()),
                        _ -> H5File.open(absent, world))));
    assertEquals(List.of(0, 1), closed.stream().sorted().toList());
  }

  @Test
  void the_job_ends_after_a_failure_that_only_one_rank_knows() throws Exception {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome =
        mpirun
            .get()
            .withLimit(Duration.ofSeconds(40))
            .run(2, OneRankFails.class.getName(), folder.resolve("absent.h5").toString());
    assertEquals(1, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("rank 1 of 2 failed: "), outcome.output());
    assertTrue(outcome.output().contains("absent.h5"), outcome.output());
  }

  /** Rank 1 cannot open a file that it opens alone, while rank 0 waits for it. */
  public static final class OneRankFails {
    private OneRankFails() {}

    /** Runs on every rank. */
    public static void main(String[] arguments) {
      System.exit(
          Mpi.run(
              arguments,
              world -> {
                if (world.rank() == 1) {
                  H5File.open(Path.of(arguments[0])).close();
                }
                world.barrier();
                return 0;
              }));
    }
  }

  @Test
  void a_failure_without_a_number_of_ranks_is_agreed_among_all() {
    assertTrue(AgreedFailure.isAgreed(new Everywhere(), 1_000));
    assertFalse(AgreedFailure.isAgreed(new IllegalStateException("alone"), 1));
  }

  private static final class Everywhere extends RuntimeException implements AgreedFailure {
    private static final long serialVersionUID = 1L;
  }
}
