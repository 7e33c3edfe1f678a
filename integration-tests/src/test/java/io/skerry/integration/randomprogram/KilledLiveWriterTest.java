package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Attribute;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.FileOptions;
import io.skerry.recovery.FileRecovery;
import io.skerry.testkit.launch.MpirunLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the files of jobs under {@code mpirun} that are killed with signal 9. Before the kill,
 * after it, and after the recovery, each reader sees exactly one flush. {@code -Dskerry.kill.runs}
 * is the number of jobs, {@code -Dskerry.kill.seed} the first seed.
 */
class KilledLiveWriterTest {
  private static final int RUNS = Integer.getInteger("skerry.kill.runs", 3);
  private static final long SEED = Long.getLong("skerry.kill.seed", 1);

  /** Kept if a run fails. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  private final Map<String, Integer> tally = new TreeMap<>();

  @Test
  void readers_see_one_flush_before_and_after_a_kill_and_a_recovery() throws Exception {
    Optional<MpirunLauncher> launcher = MpirunLauncher.find();
    assumeTrue(launcher.isPresent(), "skipped: no mpirun");
    for (long seed = SEED; seed < SEED + RUNS; seed++) {
      KillPlan plan = KillPlan.of(seed);
      Path own = Files.createDirectory(folder.resolve("run" + seed));
      try {
        run(launcher.get().withLimit(Duration.ofMinutes(15)), plan, own);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dskerry.kill.seed=%d -Dskerry.kill.runs=1 %s files=%s: %s"
                .formatted(seed, plan, own, e.getMessage()),
            e);
      }
    }
    System.out.println("kills: " + RUNS + " " + tally);
    assertTrue(count("reads") >= RUNS, () -> "reads before kills: " + tally);
  }

  private int count(String what) {
    return tally.getOrDefault(what, 0);
  }

  private synchronized void note(String what) {
    tally.merge(what, 1, Integer::sum);
  }

  private void run(MpirunLauncher launcher, KillPlan plan, Path own) throws Exception {
    Path file = own.resolve("killed.h5");
    AtomicBoolean killed = new AtomicBoolean();
    List<Reader> readers = List.of(new Reader(plan, file), new Reader(plan, file));
    KilledJob job;
    try (ExecutorService threads = Executors.newFixedThreadPool(readers.size())) {
      List<Future<?>> reads = new ArrayList<>();
      readers.forEach(reader -> reads.add(threads.submit(() -> reader.readUntil(killed))));
      try {
        job = KilledJob.run(launcher, plan, KilledWriter.Readers.LIVE, file, own);
      } finally {
        killed.set(true);
      }
      for (Future<?> read : reads) {
        Object unused = read.get();
      }
    }
    if (job.acknowledged() < 0) {
      note("before the first flush");
      readers.forEach(Reader::close);
      return;
    }
    readers.forEach(Reader::check);
    int newest = newest(plan, file);
    assertTrue(newest >= job.acknowledged(), "newest=" + newest + " of " + job.acknowledged());
    var unused = FileRecovery.recover(file);
    readers.forEach(Reader::check);
    int recovered = RecoveredFile.flushIn(file);
    assertTrue(recovered >= newest && recovered <= job.acknowledged() + 1);
    note(recovered > newest ? "newer after recovery" : "the same after recovery");
    RecoveredFile.of(plan.seed(), recovered, file).check();
    writeAgain(plan, file, recovered, readers);
    readers.forEach(Reader::close);
    assertFalse(Files.exists(own.resolve("killed.h5.live")));
  }

  private static int newest(KillPlan plan, Path file) {
    try (H5File.Follower follower = H5File.follow(file)) {
      int flush = RecoveredFile.flushIn(follower.file());
      RecoveredFile.of(plan.seed(), flush, file).check(follower.file());
      return flush;
    }
  }

  /**
   * Lets another writer continue, and checks that readers move from one to the other, and that h5py
   * reads the last flush.
   */
  private static void writeAgain(KillPlan plan, Path file, int flush, List<Reader> readers) {
    try (H5File writer =
        H5File.openForWriting(
            file,
            Communicator.self(),
            Scenario.OPTIONS.withLiveReaders(FileOptions.LiveReaders.standard()))) {
      readers.forEach(Reader::checkEnded);
      for (Reader reader : readers) {
        reader.refresh();
        assertTrue(reader.follower.orElseThrow().isWritten());
        assertEquals(flush, RecoveredFile.flushIn(reader.follower.orElseThrow().file()));
      }
      writer.root().setAttribute(Attribute.of("again", 1L));
      writer.flush();
      // Between two flushes, programs that do not know live files read the last one.
      RecoveredFile.of(plan.seed(), flush, file).checkByH5py(file.getParent());
      for (Reader reader : readers) {
        H5File.Follower follower = reader.follower.orElseThrow();
        assertTrue(follower.file().root().attribute("again").isEmpty());
        long before = follower.epoch();
        assertTrue(follower.refresh());
        assertTrue(follower.epoch() > before);
        assertTrue(follower.file().root().attribute("again").isPresent());
        RecoveredFile.of(plan.seed(), flush, file).check(follower.file());
      }
    }
    for (Reader reader : readers) {
      assertFalse(reader.follower.orElseThrow().refresh());
      assertFalse(reader.follower.orElseThrow().isWritten());
      reader.check();
    }
  }

  /** A reader of the file of a job. */
  private final class Reader {
    private final KillPlan plan;
    private final Path file;
    private Optional<H5File.Follower> follower = Optional.empty();
    private long epoch;
    private int flush = -1;

    Reader(KillPlan plan, Path file) {
      this.plan = plan;
      this.file = file;
    }

    void readUntil(AtomicBoolean killed) {
      Path live = file.resolveSibling(file.getFileName() + ".live");
      while (follower.isEmpty() && !killed.get()) {
        if (Files.exists(live)) {
          follower = Optional.of(H5File.follow(file));
        }
      }
      while (!killed.get()) {
        if (follower.orElseThrow().awaitNext(Duration.ofMillis(20)) || follower.get().epoch() > 0) {
          check();
          note("reads");
        }
      }
      if (follower.isEmpty()) {
        follower = Optional.of(H5File.follow(file));
      }
    }

    /** Checks that the epoch of this reader is one flush, not older than the one before. */
    void check() {
      H5File.Follower now = follower.orElseThrow();
      if (now.epoch() == 0) {
        return;
      }
      try {
        int found = RecoveredFile.flushIn(now.file());
        assertTrue(
            now.epoch() == epoch ? found == flush : found >= flush, found + " after " + flush);
        RecoveredFile.of(plan.seed(), found, file).check(now.file());
        flush = found;
        epoch = now.epoch();
      } catch (CollectiveException e) {
        requireExpired(e);
        note("expired");
        boolean unused = now.refresh();
      }
    }

    void refresh() {
      boolean unused = follower.orElseThrow().refresh();
      check();
    }

    /** Checks that the epoch, which a new writer has ended, is read from memory or not at all. */
    void checkEnded() {
      if (follower.orElseThrow().epoch() > 0) {
        try {
          RecoveredFile.of(plan.seed(), flush, file).check(follower.get().file());
          note("read from memory");
        } catch (CollectiveException e) {
          requireExpired(e);
          note("ended");
        }
      }
    }

    void close() {
      follower.ifPresent(H5File.Follower::close);
    }
  }

  private static void requireExpired(CollectiveException e) {
    if (!(e.getCause() instanceof EpochExpiredException)) {
      throw e;
    }
  }
}
