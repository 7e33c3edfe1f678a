package io.skerry.integration.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Skerry;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.RankedSuite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a full disk is reported and that no rank hangs. */
class FullDiskTest {
  private static final int RANKS = 3;
  private static final String FOLDER = "skerry.full.folder";

  @TempDir Path folder;

  @BeforeEach
  void needs_root() {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounting a small disk needs root");
  }

  /** Returns a launcher whose jobs have a small disk at the folder, and list it at the end. */
  private MpirunLauncher onDiskOf(String size, InstalledMpi mpi) throws Exception {
    var script =
        "mount -t tmpfs -o size=%s none \"$0\" || exit 77; \"$@\"; code=$?; ls \"$0\"; exit $code";
    return mpi.require()
        .startedWithin(
            List.of(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                script.formatted(size),
                folder.toString()))
        .withLimit(Duration.ofSeconds(60));
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.InstalledMpi#sample")
  void a_collective_write_without_room_fails_and_the_file_can_be_used(InstalledMpi mpi)
      throws Exception {
    var outcome =
        onDiskOf("40m", mpi)
            .withJvmOption("-D" + FOLDER + "=" + folder)
            .withJvmOption("-Dskerry.case.seconds=30")
            .withJvmOption("-Dskerry.patience=5")
            .run(RANKS, RankedSuite.class.getName(), Writing.class.getName());
    if (!mpi.heedsHints()) {
      // With ROMIO on Open MPI 5, an aggregator that fails leaves the other ranks waiting.
      assertEquals(1, outcome.exitCode(), outcome.output());
      var told = "skerry: the job is ended: after a failure, other ranks did not return";
      assertTrue(outcome.output().contains(told), outcome.output());
      assertTrue(outcome.output().contains("NO_SPACE"), outcome.output());
      return;
    }
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("3 passed, 0 failed"), outcome.output());
  }

  @Test
  void a_failure_that_all_ranks_agree_on_does_not_end_the_job() throws Exception {
    var outcome =
        onDiskOf("40m", InstalledMpi.OMPIO)
            .withJvmOption("-D" + FOLDER + "=" + folder)
            .withJvmOption("-Dskerry.patience=4")
            .run(RANKS, RankedSuite.class.getName(), Agreeing.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("1 passed, 0 failed"), outcome.output());
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.InstalledMpi#forCommands")
  void the_detector_job_reports_a_full_disk_in_one_line_and_leaves_no_output(InstalledMpi mpi)
      throws Exception {
    var job = "lcls --synthetic 64x256x256 --every 4 --no-progress --out " + folder + "/out.h5";
    var outcome = onDiskOf("200k", mpi).run(RANKS, Skerry.class.getName(), job.split(" "));
    assertEquals(1, outcome.exitCode(), outcome.output());
    var said = outcome.output().lines().filter(line -> line.startsWith("skerry: ")).toList();
    assertEquals(1, said.size(), outcome.output());
    assertTrue(said.getFirst().contains("NO_SPACE"), outcome.output());
    assertFalse(outcome.output().lines().anyMatch("out.h5"::equals), outcome.output());
  }

  @ParameterizedTest
  @MethodSource("io.skerry.integration.mpi.InstalledMpi#forCommands")
  void the_mpi_command_reports_a_full_disk_in_one_line(InstalledMpi mpi) throws Exception {
    var outcome =
        onDiskOf("8k", mpi)
            .run(RANKS, Skerry.class.getName(), "mpi", "--folder", folder.toString());
    assertEquals(1, outcome.exitCode(), outcome.output());
    var said = outcome.output().lines().filter(line -> line.startsWith("skerry: ")).toList();
    assertEquals(1, said.size(), outcome.output());
    assertTrue(said.getFirst().contains("NO_SPACE"), outcome.output());
  }

  /** Fails in a file of one communicator, and agrees on the failure in another. */
  public static final class Agreeing implements RankedCases {
    @Override
    public List<RankedCase> cases() {
      return List.of(
          new RankedCase(
              "agreeing",
              world -> {
                try (var few = world.duplicate()) {
                  Writing.write(few, Writing.BYTES, world);
                }
                Thread.sleep(Duration.ofSeconds(6));
              }));
    }
  }

  /** Writes more than fits on the disk. */
  public static final class Writing implements RankedCases {
    private static final int BYTES = 20 << 20;
    private static final int SMALL = 1 << 9;

    @Override
    public List<RankedCase> cases() {
      return List.of(
          new RankedCase("one_block_of_each_rank", world -> write(world, BYTES, world)),
          new RankedCase("blocks_of_the_ranks_in_turn", world -> write(world, 1 << 16, world)),
          new RankedCase("many_small_blocks_in_turn", world -> write(world, SMALL, world)));
    }

    private static void write(Communicator world, int block, Communicator agreeing) {
      var path = Path.of(System.getProperty(FOLDER), "file-" + block);
      try (var arena = Arena.ofConfined();
          var file = world.openFile(path, OpenMode.CREATE, Map.of())) {
        var data = arena.allocate(BYTES).fill((byte) 1);
        long failed = 0;
        try {
          file.writeAtAll(inTurn(world, block), data);
        } catch (MpiException e) {
          Expect.that(e.errorClass() == MpiErrorClass.NO_SPACE, e.toString());
          failed = 1;
        }
        Expect.that(agreeing.allReduce(failed, Reduction.SUM) > 0, "no rank has heard of it");
        useAgain(world, file, data);
      } catch (MpiException e) {
        Expect.that(false, e.toString());
      }
    }

    private static void useAgain(Communicator world, MpiFile file, MemorySegment memory) {
      file.setSize(0);
      // Any rank may truncate the file in setSize.
      world.barrier();
      var view = FileView.of((long) world.rank() * SMALL, SMALL);
      var written = memory.asSlice(0, SMALL).fill((byte) 2);
      var back = memory.asSlice(SMALL, SMALL);
      file.writeAtAll(view, written);
      file.sync();
      file.readAtAll(view, back);
      Expect.equal(-1L, written.mismatch(back), "where differs what is read back");
      world.barrier();
      file.setSize(0);
    }

    private static FileView inTurn(Communicator world, int block) {
      var view = FileView.builder();
      for (long at = 0; at < BYTES; at += block) {
        view.add(at * world.size() + (long) world.rank() * block, block);
      }
      return view.build();
    }
  }
}
