package io.skerry.integration.concurrency;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.integration.concurrency.FlushedDataset.Sight;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.TransferReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Ranks that change, read and flush a file collectively in random steps that one seed determines,
 * while reader threads of each rank read independently.
 */
public final class RanksAndReaders {
  private final Communicator ranks;
  private final Plan plan;
  private final Random random;
  private final List<FlushedDataset> datasets = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<ReaderThread> readers = new ArrayList<>();
  private int stamp;

  /**
   * The parameters of a run, equal on all ranks.
   *
   * @param steps the number of collective steps
   * @param readers the number of reader threads of each rank
   * @param options the options of the file
   */
  public record Plan(long seed, int steps, int readers, FileOptions options) {
    /** Returns a plan whose options depend on the seed. */
    public static Plan of(long seed, int steps, int readers) {
      long[] caches = {0, 500, 4000, 1 << 20};
      CacheOptions cache =
          CacheOptions.standard()
              .withFixedSize(caches[(int) Math.floorMod(seed, 4L)])
              .withDatasetMinimum(0);
      FileOptions options =
          FileOptions.standard()
              .withWorkers(2)
              .withCache(cache)
              .withAheadLimit(seed % 3 == 0 ? 100 : 1 << 20)
              .withRoundLimit(seed % 5 == 0 ? 300 : 1 << 20)
              .withDirtyLimit(seed % 7 == 0 ? 1500 : 1 << 30)
              .withOverwriting(
                  seed % 2 == 0
                      ? FileOptions.Overwriting.BY_FLUSH
                      : FileOptions.Overwriting.IN_PLACE);
      return new Plan(seed, steps, readers, options);
    }

    Sight sight(SharedLayout layout) {
      boolean inPlace =
          switch (layout) {
            case CONTIGUOUS, COMPACT -> true;
            case DENSE, TEXTS -> options.overwriting() == FileOptions.Overwriting.IN_PLACE;
            case FILTERED, SPARSE, SPARSE_FILTERED, SPARSE_TEXTS -> false;
          };
      if (inPlace) {
        return Sight.ELEMENTS;
      }
      return options.dirtyLimit() < 1 << 30 ? Sight.WRITES : Sight.FLUSHES;
    }
  }

  /**
   * The counts of the readers of a rank.
   *
   * @param reads reads that returned permitted values, or whose elements a concurrent shrink
   *     removed
   * @param refused collective calls that were refused
   */
  public record Report(long reads, long refused) {}

  /**
   * Prepares a run.
   *
   * @param ranks a communicator of at least two ranks
   */
  public RanksAndReaders(Communicator ranks, Plan plan) {
    this.ranks = ranks;
    this.plan = plan;
    this.random = new Random(plan.seed());
  }

  /**
   * Creates a file and runs the plan on it. Collective.
   *
   * @throws AssertionError if a reader thread of this rank failed, or if a collective read returned
   *     unexpected values
   */
  public Report run(Path path) {
    try (H5File file = H5File.create(path, ranks, plan.options())) {
      for (SharedLayout layout : SharedLayout.values()) {
        int rows = 1 + random.nextInt(SharedLayout.MOST_ROWS);
        Dataset made = file.createDataset("/" + layout, layout.spec(rows));
        datasets.add(new FlushedDataset(layout, made, rows));
      }
      file.flush();
      List<Thread> threads = start(file);
      try {
        for (int i = 0; i < plan.steps(); i++) {
          step(file, i);
          awaitRead();
        }
      } finally {
        readers.forEach(ReaderThread::end);
        threads.forEach(RanksAndReaders::join);
      }
      // The last check is collective; the readers have ended.
      datasets.forEach(dataset -> dataset.readTogether(ElementSet.rows(dataset.rows())));
    }
    if (!failures.isEmpty()) {
      AssertionError first = new AssertionError(plan + " rank=" + ranks.rank(), failures.remove());
      failures.forEach(first::addSuppressed);
      throw first;
    }
    return new Report(
        readers.stream().mapToLong(ReaderThread::reads).sum(),
        readers.stream().mapToLong(ReaderThread::refused).sum());
  }

  private List<Thread> start(H5File file) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < plan.readers(); i++) {
      ReaderThread reader =
          new ReaderThread(file, plan, datasets, plan.seed() * 100 + ranks.rank() * 10L + i);
      readers.add(reader);
      threads.add(
          Thread.ofPlatform()
              .name("reader-" + i + "-of-rank-" + ranks.rank())
              .daemon()
              .uncaughtExceptionHandler((_, failure) -> failures.add(failure))
              .start(reader));
    }
    return threads;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits until a reader of this rank completes a read or fails, so that the readers do not lag
   * behind on a busy machine.
   */
  private void awaitRead() {
    long before = readers.stream().mapToLong(ReaderThread::reads).sum();
    // A failure already decides the result of the run.
    while (failures.isEmpty() && readers.stream().mapToLong(ReaderThread::reads).sum() == before) {
      LockSupport.parkNanos(20_000);
    }
  }

  private void step(H5File file, int number) {
    int choice = random.nextInt(100);
    if (choice < 40) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        write(any());
      }
    } else if (choice < 48) {
      erase(any());
    } else if (choice < 54) {
      changeExtent(any());
    } else if (choice < 62) {
      readTogether(file, any());
    } else if (choice < 66) {
      passingDataset(file, "/passing" + number);
    } else if (choice < 70) {
      any().dataset().setAttribute(Attribute.of("step", "of many: " + number));
    } else {
      flushing(file::flush);
    }
  }

  private void flushing(Runnable flush) {
    datasets.forEach(FlushedDataset::flushBegins);
    flush.run();
    datasets.forEach(FlushedDataset::flushHasEnded);
  }

  private FlushedDataset any() {
    return datasets.get(random.nextInt(datasets.size()));
  }

  /** Returns a part of a dataset for each rank; parts may overlap. */
  private List<ElementSet> parts(FlushedDataset dataset) {
    List<ElementSet> parts = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      parts.add(random.nextInt(5) == 0 ? ElementSet.NONE : ElementSet.draw(random, dataset.rows()));
    }
    return parts;
  }

  private void write(FlushedDataset dataset) {
    List<ElementSet> parts = random.nextInt(4) == 0 ? bands(dataset) : parts(dataset);
    List<int[]> numbers = new ArrayList<>();
    for (ElementSet part : parts) {
      int first = ++stamp * 1000;
      numbers.add(IntStream.range(first, first + part.positions().length).toArray());
    }
    dataset.write(parts, numbers, ranks.rank());
  }

  /**
   * Returns disjoint parts that consist of whole chunks: one random rank has all elements, and the
   * other ranks have none.
   */
  private List<ElementSet> bands(FlushedDataset dataset) {
    int writer = random.nextInt(ranks.size());
    List<ElementSet> parts = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      parts.add(rank == writer ? ElementSet.rows(dataset.rows()) : ElementSet.NONE);
    }
    return parts;
  }

  private void erase(FlushedDataset dataset) {
    List<ElementSet> parts = parts(dataset);
    if (dataset.layout().isSparse()) {
      dataset.erase(parts, ranks.rank());
    }
  }

  private void changeExtent(FlushedDataset dataset) {
    int next = 1 + random.nextInt(SharedLayout.MOST_ROWS);
    if (!dataset.layout().canChangeExtent()) {
      return;
    }
    if (next < dataset.rows()) {
      flushing(() -> dataset.shrink(next));
    } else {
      dataset.grow(next);
    }
  }

  /** Reads collectively; the read flushes first if the dataset has unflushed changes. */
  private void readTogether(H5File file, FlushedDataset dataset) {
    ElementSet cells = parts(dataset).get(ranks.rank());
    datasets.forEach(FlushedDataset::flushBegins);
    dataset.readTogether(cells);
    TransferReport report = file.lastTransfer().orElseThrow();
    if (report.departures().contains(TransferReport.Departure.FLUSHED_FIRST)) {
      datasets.forEach(FlushedDataset::flushHasEnded);
    }
  }

  /** Creates, writes and removes a dataset, so that other datasets can reuse its space. */
  private void passingDataset(H5File file, String path) {
    SharedLayout layout = SharedLayout.values()[random.nextInt(SharedLayout.values().length)];
    int[] numbers = random.ints(SharedLayout.MOST_ROWS * SharedLayout.COLUMNS, 1, 1000).toArray();
    Dataset passing = file.createDataset(path, layout.spec(SharedLayout.MOST_ROWS));
    layout.write(passing, ElementSet.rows(SharedLayout.MOST_ROWS).selection(), numbers);
    flushing(file::flush);
    file.unlink(path);
  }
}
