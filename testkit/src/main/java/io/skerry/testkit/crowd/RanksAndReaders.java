package io.skerry.testkit.crowd;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.TransferReport;
import io.skerry.testkit.crowd.FlushedDataset.Sight;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Ranks that write, erase, extend and flush together at random, all from the same seed, while
 * readers of each look on.
 */
public final class RanksAndReaders {
  private final Communicator ranks;
  private final Plan plan;
  private final Random random;
  private final List<FlushedDataset> datasets = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Reader> readers = new ArrayList<>();
  private int stamp;

  /**
   * What is done, the same on all ranks.
   *
   * @param steps that the ranks take together
   * @param readers threads of each rank
   * @param options of the file
   */
  public record Plan(long seed, int steps, int readers, FileOptions options) {
    /** Draws the options. */
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

    Sight sight(Layout layout) {
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
   * What the readers of a rank did.
   *
   * @param reads that gave what they should
   * @param refused collective calls that were refused
   */
  public record Report(long reads, long refused) {}

  /**
   * @param ranks at least two
   */
  public RanksAndReaders(Communicator ranks, Plan plan) {
    this.ranks = ranks;
    this.plan = plan;
    this.random = new Random(plan.seed());
  }

  /**
   * Makes a new file and does all that on it. Collective.
   *
   * @throws AssertionError if any reader of this rank saw what cannot be
   */
  public Report run(Path path) {
    try (H5File file = H5File.create(path, ranks, plan.options())) {
      for (Layout layout : Layout.values()) {
        int rows = 1 + random.nextInt(Layout.MOST_ROWS);
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
        readers.forEach(Reader::end);
        threads.forEach(RanksAndReaders::join);
      }
      // Those who stay until the end of the file meet its last flush too.
      datasets.forEach(dataset -> dataset.readTogether(Cells.rows(dataset.rows())));
    }
    if (!failures.isEmpty()) {
      AssertionError first = new AssertionError(plan + " rank=" + ranks.rank(), failures.remove());
      failures.forEach(first::addSuppressed);
      throw first;
    }
    return new Report(
        readers.stream().mapToLong(Reader::reads).sum(),
        readers.stream().mapToLong(Reader::refused).sum());
  }

  private List<Thread> start(H5File file) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < plan.readers(); i++) {
      Reader reader = new Reader(file, plan, datasets, plan.seed() * 100 + ranks.rank() * 10L + i);
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

  /** Until something was read after the latest step, however busy the machine is. */
  private void awaitRead() {
    long before = readers.stream().mapToLong(Reader::reads).sum();
    // The first that fails is enough to know.
    while (failures.isEmpty() && readers.stream().mapToLong(Reader::reads).sum() == before) {
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

  /** Each rank's part of what all do to a dataset; they may meet. */
  private List<Cells> parts(FlushedDataset dataset) {
    List<Cells> parts = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      parts.add(random.nextInt(5) == 0 ? Cells.NONE : Cells.draw(random, dataset.rows()));
    }
    return parts;
  }

  private void write(FlushedDataset dataset) {
    List<Cells> parts = random.nextInt(4) == 0 ? bands(dataset) : parts(dataset);
    List<int[]> numbers = new ArrayList<>();
    for (Cells part : parts) {
      int first = ++stamp * 1000;
      numbers.add(IntStream.range(first, first + part.positions().length).toArray());
    }
    dataset.write(parts, numbers, ranks.rank());
  }

  /** All elements, each of one rank: whole chunks among them. */
  private List<Cells> bands(FlushedDataset dataset) {
    int writer = random.nextInt(ranks.size());
    List<Cells> parts = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      parts.add(rank == writer ? Cells.rows(dataset.rows()) : Cells.NONE);
    }
    return parts;
  }

  private void erase(FlushedDataset dataset) {
    List<Cells> parts = parts(dataset);
    if (dataset.layout().isSparse()) {
      dataset.erase(parts, ranks.rank());
    }
  }

  private void changeExtent(FlushedDataset dataset) {
    int next = 1 + random.nextInt(Layout.MOST_ROWS);
    if (!dataset.layout().canChangeExtent()) {
      return;
    }
    if (next < dataset.rows()) {
      flushing(() -> dataset.shrink(next));
    } else {
      dataset.grow(next);
    }
  }

  /** Reads with all ranks; the read flushes first if its dataset has unflushed changes. */
  private void readTogether(H5File file, FlushedDataset dataset) {
    Cells cells = parts(dataset).get(ranks.rank());
    datasets.forEach(FlushedDataset::flushBegins);
    dataset.readTogether(cells);
    TransferReport report = file.lastTransfer().orElseThrow();
    if (report.departures().contains(TransferReport.Departure.FLUSHED_FIRST)) {
      datasets.forEach(FlushedDataset::flushHasEnded);
    }
  }

  /** Leaves room in the file, which others take. */
  private void passingDataset(H5File file, String path) {
    Layout layout = Layout.values()[random.nextInt(Layout.values().length)];
    int[] numbers = random.ints(Layout.MOST_ROWS * Layout.COLUMNS, 1, 1000).toArray();
    Dataset passing = file.createDataset(path, layout.spec(Layout.MOST_ROWS));
    layout.write(passing, Cells.rows(Layout.MOST_ROWS).selection(), numbers);
    flushing(file::flush);
    file.unlink(path);
  }
}
