package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Ranks;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Mpi;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.launch.ProgramArguments;
import io.skerry.parallel.CollectiveException;
import io.skerry.testkit.launch.MpirunLauncher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failure agreed in a communicator of one rank is unknown to the other ranks. */
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
                var other = world.split(world.rank(), 0);
                H5File file = H5File.open(path, some)) {
              for (Runnable step :
                  List.<Runnable>of(() -> file.dataset("/missing"), () -> file.dataset("/"))) {
                var missing = assertThrows(NoSuchObjectException.class, step::run);
                assertTrue(AgreedFailure.isAgreed(missing, some.rankSet()));
                assertTrue(AgreedFailure.isAgreed(missing, other.rankSet()));
                assertEquals(ranks == 2, AgreedFailure.isAgreed(missing, world.rankSet()));
              }
              var unopened =
                  assertThrows(
                      CollectiveException.class,
                      () -> H5File.open(folder.resolve("absent.h5"), some));
              assertTrue(AgreedFailure.isAgreed(unopened, some.rankSet()));
              assertEquals(ranks == 2, AgreedFailure.isAgreed(unopened, world.rankSet()));
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
  void a_resource_stays_open_after_a_failure_that_was_agreed_on_other_ranks() {
    Path absent = folder.resolve("absent.h5");
    Collection<Integer> closed = new ConcurrentLinkedQueue<>();
    assertThrows(
        CollectiveException.class,
        () ->
            LocalRanks.run(
                3,
                world -> {
                  // One communicator of ranks 0 and 1 and one of ranks 0 and 2, which have the same
                  // size.
                  Communicator reading = world.split(world.rank() == 2 ? 1 : 0, 0);
                  Communicator working = world.split(world.rank() == 1 ? 1 : 0, 0);
                  if (world.rank() == 1) {
                    H5File.open(absent, reading).close();
                  } else {
                    Agreement.using(
                        working,
                        "resource",
                        _ -> closed.add(world.rank()),
                        _ -> {
                          if (world.rank() == 0) {
                            H5File.open(absent, reading).close();
                          }
                          working.barrier();
                          return 0;
                        });
                  }
                }));
    assertEquals(List.of(), List.copyOf(closed));
  }

  @Test
  void a_resource_stays_open_after_a_job_exception_of_one_rank() {
    Collection<Integer> closed = new ConcurrentLinkedQueue<>();
    assertThrows(
        JobException.class,
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
                            throw new JobException("only here");
                          }
                          world.barrier();
                          return 0;
                        })));
    assertEquals(List.of(), List.copyOf(closed));
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

  @Test
  void the_job_ends_after_a_job_exception_of_one_rank() throws Exception {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome =
        mpirun
            .get()
            .withLimit(Duration.ofSeconds(40))
            .run(2, OneRankRefuses.class.getName(), folder.toString());
    assertEquals(1, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("rank 1 of 2 failed: only here"), outcome.output());
  }

  /** A program in which rank 1 refuses its input while rank 0 waits in a reduction. */
  public static final class OneRankRefuses {
    private OneRankRefuses() {}

    /** Runs on every rank. */
    public static void main(String[] arguments) {
      CommandContext context =
          new CommandContext(System.getenv(), System.out, ProgramArguments.of(arguments));
      System.exit(
          context.onRanks(
              Ranks.of(2),
              (ToIntFunction<Communicator>)
                  world -> {
                    if (world.rank() == 1) {
                      throw new JobException("only here");
                    }
                    return (int) world.allReduce(0, Reduction.MAX);
                  }));
    }
  }

  /** A program in which rank 1 fails to open a file on its own while rank 0 waits in a barrier. */
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
  void a_plain_exception_is_not_agreed_and_a_job_exception_only_on_a_single_rank() {
    var one = Communicator.RankSet.of(1);
    assertFalse(AgreedFailure.isAgreed(new IllegalStateException("alone"), one));
    assertTrue(AgreedFailure.isAgreed(new JobException("alone"), one));
    assertFalse(AgreedFailure.isAgreed(new JobException("alone"), Communicator.RankSet.of(2)));
  }
}
