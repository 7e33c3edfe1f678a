package io.skerry.integration.soak;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A job of ranks that are threads and flush numbered states, with an interrupt of a random rank at
 * a random time. An interrupt of a waiting rank ends the job. The file then has the state of one
 * flush, not older than the last flush that has returned on all ranks.
 */
final class InterruptedJob {
  private static final int FLUSHES = 20;
  private static final int ROWS = 60;
  private static final String NUMBER = "number";

  private final Path path;
  private final Random random;
  private final int ranks;
  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger acknowledged = new AtomicInteger(-1);

  InterruptedJob(Path path, long seed) {
    this.path = path;
    this.random = new Random(seed);
    this.ranks = 1 + random.nextInt(3);
  }

  /**
   * Runs the job, checks the file and deletes it.
   *
   * @return 1 if the interrupt ended the job, 0 if the job ended before it
   */
  long run() throws IOException {
    long ended = 0;
    Thread disturber = Thread.ofVirtual().start(this::disturb);
    try {
      LocalRanks.run(ranks, this::work);
    } catch (RuntimeException e) {
      if (!wasInterrupted(e)) {
        throw e;
      }
      ended = 1;
    } finally {
      disturber.interrupt();
    }
    if (acknowledged.get() >= 0) {
      check();
    }
    Files.deleteIfExists(path);
    Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".journal"));
    return ended;
  }

  /** Waits for a random time and interrupts a random rank. */
  private void disturb() {
    LockSupport.parkNanos(random.nextInt(60_000_000));
    synchronized (threads) {
      if (!threads.isEmpty()) {
        threads.get(random.nextInt(threads.size())).interrupt();
      }
    }
  }

  private static boolean wasInterrupted(RuntimeException failure) {
    return switch (failure) {
      case MpiException e -> String.valueOf(e.getMessage()).contains("interrupted");
      case CollectiveException e -> String.valueOf(e.getMessage()).contains("interrupted");
      case CommitException e -> String.valueOf(e.getMessage()).contains("interrupted");
      case RequestInterruptedException _ -> true;
      default -> false;
    };
  }

  private void work(Communicator world) {
    threads.add(Thread.currentThread());
    H5File file = H5File.create(path, world);
    boolean done = false;
    try {
      flushNumbers(file, world);
      done = true;
    } finally {
      if (!done) {
        file.discard();
      }
    }
    file.close();
  }

  private void flushNumbers(H5File file, Communicator world) {
    Shape shape = Shape.of(ROWS);
    Dataset dense =
        file.createDataset(
            "/dense", DatasetSpec.of(Datatype.I32, shape).chunked(7).filters(Filters.deflate(1)));
    Dataset sparse = file.createDataset("/sparse", DatasetSpec.of(Datatype.I32, shape).sparse(7));
    int rows = ROWS / world.size();
    Selection own = Selection.at((long) world.rank() * rows).extent(rows);
    for (int number = 0; number < FLUSHES; number++) {
      int[] values = new int[rows];
      Arrays.fill(values, number);
      dense.write(own, values);
      sparse.write(own, values);
      file.root().setAttribute(Attribute.of(NUMBER, number));
      file.flush();
      world.barrier();
      acknowledged.set(number);
    }
  }

  private void check() {
    try (H5File file = H5File.open(path)) {
      long number = file.root().attribute(NUMBER).orElseThrow().longs()[0];
      if (number < acknowledged.get()) {
        throw new AssertionError(
            "an acknowledged flush is lost: expected>=" + acknowledged + " actual=" + number);
      }
      for (String name : List.of("/dense", "/sparse")) {
        int[] found = file.dataset(name).readInts(Selection.all());
        if (Arrays.stream(found).anyMatch(value -> value != number)) {
          throw new AssertionError(
              name + ": expected=" + number + " actual=" + Arrays.toString(found));
        }
      }
    }
  }
}
