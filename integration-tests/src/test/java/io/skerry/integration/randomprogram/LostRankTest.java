package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a rank that fails in the communication, so that the ranks can no longer agree. */
class LostRankTest {
  private static final int RANKS = 3;

  @TempDir Path folder;

  @Test
  void a_rank_that_breaks_anywhere_causes_no_hang_and_the_file_holds_one_flush() throws Exception {
    Path base = folder.resolve("base.h5");
    Scenario scenario = new Scenario(77);
    FileModel before = new FileModel();
    List<ProgramStep> creation = Scenario.creation();
    creation.forEach(before::apply);
    List<ProgramStep> first = scenario.changes(before);
    first.forEach(before::apply);
    LocalRanks.run(
        RANKS,
        world -> {
          try (H5File file = H5File.create(base, world, Scenario.OPTIONS)) {
            ProgramPlayer player = new ProgramPlayer(world, new FileModel());
            creation.forEach(step -> player.play(file, step));
            first.forEach(step -> player.play(file, step));
          }
        });
    List<ProgramStep> second = scenario.changes(before);
    FileModel after = before.copy();
    second.forEach(after::apply);

    SplittableRandom random = new SplittableRandom(5);
    long points = 0;
    boolean broke = true;
    int olds = 0;
    int news = 0;
    for (long call = 0; broke; call++) {
      Path path = folder.resolve("lost" + call + ".h5");
      Files.copy(base, path);
      Schedule schedule =
          (call % 2 == 0 ? Schedule.free() : Schedule.seeded(call))
              .failing(random.nextInt(RANKS), call);
      broke = breaks(path, schedule, second, before);
      points = call;
      boolean isOld = FileState.holds(path, before);
      boolean isNew = !isOld && FileState.holds(path, after);
      assertTrue(isOld || isNew, "the file holds no state of a flush: " + schedule);
      olds += isOld ? 1 : 0;
      news += isNew ? 1 : 0;
      Files.delete(path);
    }
    assertTrue(points > 100 && olds > 50 && news > 3, points + " " + olds + " " + news);
  }

  /** Returns whether the run reached the failure point and ended with an exception. */
  private static boolean breaks(
      Path path, Schedule schedule, List<ProgramStep> steps, FileModel before) {
    try {
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> LocalRanks.run(RANKS, schedule, world -> change(world, path, steps, before)));
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  private static void change(
      Communicator world, Path path, List<ProgramStep> steps, FileModel before) {
    try (H5File file = H5File.openForWriting(path, world, Scenario.OPTIONS)) {
      ProgramPlayer player = new ProgramPlayer(world, before.copy());
      steps.forEach(step -> player.play(file, step));
    }
  }
}
