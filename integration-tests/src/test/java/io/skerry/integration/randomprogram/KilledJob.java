package io.skerry.integration.randomprogram;

import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A job of {@link KilledWriter} that was killed and has ended.
 *
 * @param acknowledged the number of the last flush that the job acknowledged; -1 for none
 * @param endedAfter the time from the kill to the end of the launcher and all ranks
 */
record KilledJob(int acknowledged, Duration endedAfter) {
  private static final long PATIENCE_SECONDS = 60;
  private static final String LOG = "log";

  /**
   * Starts a job, kills it and waits for its end.
   *
   * @param folder the folder for the files in which the job reports its progress
   */
  static KilledJob run(
      MpirunLauncher launcher, KillPlan plan, KilledWriter.Readers readers, Path file, Path folder)
      throws IOException, InterruptedException {
    Process launched =
        launcher
            .prepared(
                plan.ranks(),
                KilledWriter.class.getName(),
                file.toString(),
                folder.toString(),
                Long.toString(plan.seed()),
                Integer.toString(plan.last()),
                readers.name())
            .redirectOutput(folder.resolve(LOG).toFile())
            .start();
    List<ProcessHandle> ranks = new ArrayList<>();
    try {
      launched.getOutputStream().close();
      for (int rank = 0; rank < plan.ranks(); rank++) {
        Path pid = folder.resolve("pid-" + rank);
        await(launched, folder, () -> Files.exists(pid));
        ranks.add(ProcessHandle.of(Long.parseLong(Files.readString(pid))).orElseThrow());
      }
      awaitMoment(plan, launched, file, folder);
      LockSupport.parkNanos((long) (plan.delay() * flushNanos(folder)));
      long killed = System.nanoTime();
      kill(plan, ranks);
      awaitEnd(launched, ranks);
      Duration endedAfter = Duration.ofNanos(System.nanoTime() - killed);
      if (launched.exitValue() == 0) {
        throw new AssertionError(
            "the job reports success: " + Files.readString(folder.resolve(LOG)));
      }
      return new KilledJob(acknowledged(folder), endedAfter);
    } finally {
      ranks.forEach(ProcessHandle::destroyForcibly);
      launched.destroyForcibly();
    }
  }

  private static void kill(KillPlan plan, List<ProcessHandle> ranks) {
    List<ProcessHandle> victims =
        switch (plan.victims()) {
          case ONE_RANK -> List.of(ranks.get(plan.victim()));
          case ALL_RANKS -> ranks;
        };
    for (ProcessHandle victim : victims) {
      if (!victim.isAlive() || !victim.destroyForcibly()) {
        throw new AssertionError("a rank ended before it was killed: pid=" + victim.pid());
      }
    }
  }

  /**
   * Waits for the launcher and then for the ranks, since the launcher may end before them and the
   * file must not be opened while a rank runs.
   */
  private static void awaitEnd(Process launched, List<ProcessHandle> ranks)
      throws InterruptedException {
    try {
      launched.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      for (ProcessHandle rank : ranks) {
        rank.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the job outlives the kill: " + e, e);
    }
  }

  /** A condition on files. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws IOException;
  }

  /** Waits while the job makes progress: on a busy machine a flush may take seconds. */
  private static void await(Process launched, Path folder, Condition condition) throws IOException {
    long seen = System.nanoTime();
    int lines = 0;
    while (!condition.holds()) {
      int now = said(folder).size();
      if (now > lines) {
        lines = now;
        seen = System.nanoTime();
      }
      long silent = System.nanoTime() - seen;
      if (!launched.isAlive() || silent > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
        throw new AssertionError(
            "the job did not come so far: " + Files.readString(folder.resolve(LOG)));
      }
      LockSupport.parkNanos(200_000);
    }
  }

  private static void awaitMoment(KillPlan plan, Process launched, Path file, Path folder)
      throws IOException {
    switch (plan.moment()) {
      case STARTED -> {}
      case WRITING -> await(launched, folder, () -> acknowledged(folder) >= plan.flush());
      case FLUSHING ->
          await(launched, folder, () -> said(KilledWriter.FLUSHING, folder) >= plan.flush());
      case COMMITTING -> {
        await(launched, folder, () -> said(KilledWriter.FLUSHING, folder) >= plan.flush());
        Path journal = file.resolveSibling(file.getFileName() + ".journal");
        await(launched, folder, () -> Files.exists(journal) && Files.size(journal) > 0);
      }
      case CLOSING -> await(launched, folder, () -> said(KilledWriter.CLOSING, folder) >= 0);
    }
  }

  private static int acknowledged(Path folder) throws IOException {
    return said(KilledWriter.ACKNOWLEDGED, folder);
  }

  /** Returns the duration of the slowest flush so far, so that kills also hit slow flushes. */
  private static long flushNanos(Path folder) throws IOException {
    int micros = said(KilledWriter.TOOK, folder);
    return micros < 0 ? TimeUnit.SECONDS.toNanos(1) : TimeUnit.MICROSECONDS.toNanos(micros);
  }

  /** Returns the greatest number reported with a word; -1 for none. */
  private static int said(String word, Path folder) throws IOException {
    return said(folder).stream()
        .filter(line -> line.startsWith(word))
        .mapToInt(line -> Integer.parseInt(line.substring(word.length())))
        .max()
        .orElse(-1);
  }

  private static List<String> said(Path folder) throws IOException {
    Path said = folder.resolve(KilledWriter.SAID);
    return Files.exists(said) ? Files.readAllLines(said) : List.of();
  }
}
