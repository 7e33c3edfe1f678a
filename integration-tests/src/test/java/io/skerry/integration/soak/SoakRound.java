package io.skerry.integration.soak;

import io.skerry.integration.concurrency.ConcurrentThreads;
import io.skerry.integration.concurrency.RanksAndReaders;
import io.skerry.integration.lifecycle.LifecycleRun;
import io.skerry.integration.lifecycle.TypeFamily;
import io.skerry.integration.randomprogram.RandomProgramRun;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A kind of file use in a soak test; each compares the values that it reads with a model. */
enum SoakRound {
  /** Platform threads on one new file, interrupted at random times. */
  INTERRUPTED_CROWD {
    @Override
    long play(Path folder, LongOpenFile standing, long seed) throws IOException {
      return crowd(folder, seed, ConcurrentThreads.Threads.PLATFORM);
    }
  },
  /** Virtual threads on one new file, interrupted at random times. */
  INTERRUPTED_VIRTUAL_CROWD {
    @Override
    long play(Path folder, LongOpenFile standing, long seed) throws IOException {
      return crowd(folder, seed, ConcurrentThreads.Threads.VIRTUAL);
    }
  },
  /** Datasets that are created and deleted in a file that is open during all rounds. */
  STANDING_FILE {
    @Override
    long play(Path folder, LongOpenFile standing, long seed) throws IOException {
      return standing.visit(
          seed,
          seed / values().length % 2 == 0
              ? ConcurrentThreads.Threads.PLATFORM
              : ConcurrentThreads.Threads.VIRTUAL);
    }
  },
  /** Ranks that write and flush collectively while threads of each rank read independently. */
  RANKS_AND_READERS {
    @Override
    long play(Path folder, LongOpenFile standing, long seed) throws IOException {
      Path path = folder.resolve("readers.h5");
      int ranks = (int) (2 + seed % 2);
      LocalRanks.run(
          ranks,
          Schedule.seeded(seed),
          world -> new RanksAndReaders(world, RanksAndReaders.Plan.of(seed, 20, 2)).run(path));
      Files.delete(path);
      return 0;
    }
  },
  /** A job with an interrupted rank: all ranks fail, and the file has the state of one flush. */
  INTERRUPTED_RANKS {
    @Override
    long play(Path folder, LongOpenFile standing, long seed) throws IOException {
      return new InterruptedJob(folder.resolve("job.h5"), seed).run();
    }
  },
  /** Files that are created, copied, repacked and deleted, on one to three ranks. */
  LIVES_OF_DATASETS {
    @Override
    long play(Path folder, LongOpenFile standing, long seed) throws IOException {
      TypeFamily[] families = TypeFamily.values();
      TypeFamily family = families[(int) (seed / values().length % families.length)];
      Path own = Files.createDirectory(folder.resolve("lives"));
      var unused = new LifecycleRun(family, own, Optional.empty()).run(seed, 40);
      Folders.delete(own);
      return 0;
    }
  },
  /** A program of several sessions, each on another number of ranks. */
  TRIAL {
    @Override
    long play(Path folder, LongOpenFile standing, long seed) throws IOException {
      Path path = folder.resolve("trial.h5");
      var unused = RandomProgramRun.of(seed).onThreads(path);
      Files.delete(path);
      return 0;
    }
  };

  /**
   * Plays one round and leaves nothing in the folder.
   *
   * @param standing the file that stays open
   * @return the number of operations that an interrupt ended
   * @throws AssertionError if a result differs from the model
   */
  abstract long play(Path folder, LongOpenFile standing, long seed) throws IOException;

  private static long crowd(Path folder, long seed, ConcurrentThreads.Threads threads)
      throws IOException {
    Path path = folder.resolve("crowd.h5");
    long[] caches = {0, 300, 4000, 1 << 20};
    ConcurrentThreads.Plan plan =
        new ConcurrentThreads.Plan(
            seed,
            (int) (2 + seed % 4),
            threads,
            100,
            caches[(int) (seed / 2 % caches.length)],
            seed % 3 == 0 ? 2000 : 1 << 20,
            ConcurrentThreads.Disturbance.INTERRUPTS);
    ConcurrentThreads.Report report = new ConcurrentThreads(path, plan).run();
    Files.delete(path);
    return report.refused();
  }
}
