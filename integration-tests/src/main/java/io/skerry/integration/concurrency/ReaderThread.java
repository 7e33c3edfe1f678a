package io.skerry.integration.concurrency;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.integration.concurrency.FlushedDataset.Sight;
import io.skerry.integration.concurrency.RanksAndReaders.Plan;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that is not the main thread of its rank. It reads independently, and expects its
 * collective calls to be refused.
 */
final class ReaderThread implements Runnable {
  private final H5File file;
  private final Plan plan;
  private final List<FlushedDataset> datasets;
  private final Random random;
  private volatile boolean ended;
  private volatile long reads;
  private volatile long refused;

  ReaderThread(H5File file, Plan plan, List<FlushedDataset> datasets, long seed) {
    this.file = file;
    this.plan = plan;
    this.datasets = datasets;
    this.random = new Random(seed);
  }

  /** Returns the number of reads that ended without a failure. */
  long reads() {
    return reads;
  }

  /** Returns the number of refused collective calls. */
  long refused() {
    return refused;
  }

  /** Asks the thread to end. */
  void end() {
    ended = true;
  }

  // Only this thread writes the counters.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  @Override
  public void run() {
    while (!ended) {
      FlushedDataset dataset = datasets.get(random.nextInt(datasets.size()));
      int choice = random.nextInt(100);
      if (choice < 5) {
        intrude(dataset);
        refused++;
      } else if (choice < 10) {
        look(dataset);
      } else {
        read(dataset, choice);
        reads++;
      }
      // Pause, because an MPI library needs a processor even while it waits for other ranks.
      if (random.nextInt(8) == 0) {
        LockSupport.parkNanos(random.nextInt(500_000));
      }
    }
  }

  private void read(FlushedDataset dataset, int choice) {
    Sight sight = plan.sight(dataset.layout());
    if (choice < 25) {
      dataset.definedAlone(this::someOf, sight);
    } else {
      dataset.readAlone(this::someOf, sight);
    }
  }

  private ElementSet someOf(int rows) {
    return random.nextInt(8) == 0 ? ElementSet.rows(rows) : ElementSet.draw(random, rows);
  }

  /** Queries properties that any thread may query without involving other ranks. */
  private void look(FlushedDataset dataset) {
    Dataset own = dataset.independent();
    check(own.shape().extent(1) == SharedLayout.COLUMNS, "columns of " + own.path());
    check(own.isSparse() == dataset.layout().isSparse(), "kind of " + own.path());
    for (Attribute attribute : own.attributes()) {
      check(attribute.text().startsWith("of many: "), "attribute of " + own.path());
    }
  }

  private void intrude(FlushedDataset dataset) {
    ElementSet cells = ElementSet.rows(1);
    int[] numbers = new int[cells.positions().length];
    Runnable intrusion =
        switch (random.nextInt(8)) {
          case 0 -> file::flush;
          case 1 -> () -> file.createGroup("/intruded");
          case 2 -> () -> file.unlink(dataset.dataset().path());
          case 3 -> () -> dataset.layout().read(dataset.dataset(), cells.selection());
          case 4 -> () -> dataset.layout().write(dataset.dataset(), cells.selection(), numbers);
          case 5 -> () -> dataset.independent().erase(cells.selection());
          case 6 -> () -> dataset.dataset().setAttribute(Attribute.of("intruded", 1));
          default -> file::close;
        };
    try {
      intrusion.run();
    } catch (IllegalStateException e) {
      check(String.valueOf(e.getMessage()).contains("collective"), "refusal: " + e.getMessage());
      return;
    }
    throw new AssertionError("a collective call of another thread was not refused");
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
