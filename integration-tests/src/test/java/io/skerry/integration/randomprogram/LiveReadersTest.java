package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files at their epochs while random changes are written and flushed. */
class LiveReadersTest {
  private static final int FLUSHES = 12;

  @TempDir Path folder;

  /** The models of the epochs that ended with an explicit flush, and what the readers found. */
  private final Map<Long, FileModel> models = new ConcurrentHashMap<>();

  private final Map<Long, String> found = new ConcurrentHashMap<>();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicInteger expired = new AtomicInteger();

  @Test
  void readers_see_exactly_one_epoch_while_one_rank_writes() throws Exception {
    readWhileWriting(1, 1, new FileOptions.LiveReaders(8, 1 << 30, Duration.ofMinutes(1)));
  }

  @Test
  void readers_see_exactly_one_epoch_while_three_ranks_write() throws Exception {
    readWhileWriting(3, 2, new FileOptions.LiveReaders(8, 1 << 30, Duration.ofMinutes(1)));
  }

  @Test
  void readers_of_a_writer_that_keeps_one_epoch_find_one_epoch_or_an_error() throws Exception {
    readWhileWriting(2, 3, new FileOptions.LiveReaders(1, 1 << 30, Duration.ofMinutes(1)));
  }

  /** Returns the creation of the datasets, one of which is written in place. */
  private static List<ProgramStep> creation() {
    List<ProgramStep> steps = new ArrayList<>(Scenario.creation());
    DatasetSpec flat = DatasetSpec.of(Datatype.I32, Shape.of(40, 30));
    steps.add(new ProgramStep.Create(new DatasetPlan("/flat", flat, NumericElement.I32, 0)));
    return steps;
  }

  private void readWhileWriting(int ranks, long seed, FileOptions.LiveReaders limits)
      throws Exception {
    Path path = folder.resolve("live.h5");
    AtomicBoolean written = new AtomicBoolean();
    try (ExecutorService readers = Executors.newFixedThreadPool(2)) {
      List<Future<Void>> results = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        long own = seed * 10 + reader;
        Callable<Void> read =
            () -> {
              read(path, own, written);
              return null;
            };
        results.add(readers.submit(read));
      }
      try {
        LocalRanks.run(ranks, world -> write(path, world, seed, limits));
      } finally {
        written.set(true);
      }
      for (Future<Void> result : results) {
        result.get();
      }
    }
    assertFalse(Files.exists(folder.resolve("live.h5.live")));
    int compared = 0;
    for (var entry : found.entrySet()) {
      FileModel model = models.get(entry.getKey());
      if (model != null) {
        assertEquals(ContentDigest.of(model), entry.getValue(), "epoch " + entry.getKey());
        compared++;
      }
    }
    System.out.println(
        "epochs=%d found=%d compared=%d late=%d expired=%d"
            .formatted(models.size(), found.size(), compared, late.get(), expired.get()));
    assertTrue(compared >= 3, "epochs compared: " + compared);
  }

  private void write(Path path, Communicator world, long seed, FileOptions.LiveReaders limits) {
    Scenario scenario = new Scenario(seed);
    FileModel model = new FileModel();
    ProgramPlayer player = new ProgramPlayer(world, model);
    try (H5File file = H5File.create(path, world, Scenario.OPTIONS.withLiveReaders(limits))) {
      creation().forEach(step -> player.play(file, step));
      for (int flush = 0; flush < FLUSHES; flush++) {
        scenario.changes(model).forEach(step -> player.play(file, step));
        world.barrier();
        if (world.rank() == 0) {
          try (H5File.Follower follower = H5File.follow(path)) {
            models.put(follower.epoch(), model.copy());
          }
        }
        world.barrier();
      }
    }
  }

  private void read(Path path, long seed, AtomicBoolean written) {
    SplittableRandom random = new SplittableRandom(seed);
    while (!Files.exists(folder.resolve("live.h5.live")) && !written.get()) {
      Thread.onSpinWait();
    }
    FileModel names = new FileModel();
    creation().forEach(names::apply);
    try (H5File.Follower follower = H5File.follow(path)) {
      while (!written.get()) {
        if (follower.epoch() == 0 || random.nextInt(3) == 0) {
          boolean unused = follower.awaitNext(Duration.ofMillis(random.nextInt(50)));
          continue;
        }
        String digest;
        try {
          digest = ContentDigest.of(follower.file(), names);
        } catch (CollectiveException e) {
          assertTrue(e.getCause() instanceof EpochExpiredException, () -> "not expired: " + e);
          expired.incrementAndGet();
          boolean unused = follower.refresh();
          continue;
        }
        String other = found.putIfAbsent(follower.epoch(), digest);
        assertTrue(other == null || other.equals(digest), "epoch " + follower.epoch());
        try (H5File.Follower newest = H5File.follow(path)) {
          if (newest.epoch() > follower.epoch()) {
            late.incrementAndGet();
          }
        } catch (CollectiveException e) {
          assertTrue(written.get() || follower.epoch() > 0, () -> e.toString());
        }
      }
    }
  }
}
