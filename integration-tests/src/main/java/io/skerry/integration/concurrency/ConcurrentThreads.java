package io.skerry.integration.concurrency;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.cache.CacheOptions;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Expectations;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs threads (the members) that use the same new file concurrently. At the end, the file is
 * compared with the content that the members expect.
 */
public final class ConcurrentThreads {
  static final int GROUPS = 3;

  private final Path path;
  private final Plan plan;
  private final List<RandomThread> members = new ArrayList<>();
  private final SharedDatasets datasets = new SharedDatasets();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private long interrupts;

  /** A disturbance of the members during their work. */
  public enum Disturbance {
    NONE,
    /** Interrupts at random moments. */
    INTERRUPTS
  }

  /** The kind of the member threads. */
  public enum Threads {
    PLATFORM,
    VIRTUAL;

    /** Returns a builder of threads that add uncaught exceptions to {@code failures}. */
    public Thread.Builder builder(String name, Queue<Throwable> failures) {
      Thread.Builder builder =
          switch (this) {
            case PLATFORM -> Thread.ofPlatform();
            case VIRTUAL -> Thread.ofVirtual();
          };
      return builder.name(name).uncaughtExceptionHandler((_, failure) -> failures.add(failure));
    }
  }

  /**
   * The parameters of a run.
   *
   * @param members the number of threads
   * @param threads the kind of threads
   * @param steps the number of steps of each thread
   * @param cacheBytes the size of the chunk cache of the file in bytes
   * @param dirtyBytes the total size of dirty chunks, in bytes, above which a write flushes them
   */
  public record Plan(
      long seed,
      int members,
      Threads threads,
      int steps,
      long cacheBytes,
      long dirtyBytes,
      Disturbance disturbance) {}

  /**
   * The counts of a run.
   *
   * @param steps steps that members completed
   * @param refused steps that an interrupt ended while their requests were waiting
   * @param interrupts interrupts that were sent
   * @param datasets datasets in the file at the end
   */
  public record Report(long steps, long refused, long interrupts, int datasets) {}

  /**
   * Prepares a run.
   *
   * @param path the path of the new file
   */
  public ConcurrentThreads(Path path, Plan plan) {
    this.path = path;
    this.plan = plan;
  }

  /**
   * Runs the members, closes the file, and compares it with the content that they expect.
   *
   * @throws AssertionError if a member failed, or if the file is damaged or has unexpected content
   */
  public Report run() {
    FileOptions options =
        FileOptions.standard()
            .withWorkers(2)
            .withDirtyLimit(plan.dirtyBytes())
            .withCache(
                CacheOptions.standard()
                    .withFixedSize(plan.cacheBytes())
                    .withDatasetMinimum(plan.cacheBytes() / 8));
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      for (int group = 0; group < GROUPS; group++) {
        file.createGroup(groupPath(group));
      }
      for (int i = 0; i < plan.members(); i++) {
        members.add(new RandomThread(file, plan, i, datasets));
      }
      work();
    }
    if (!failures.isEmpty()) {
      AssertionError first = new AssertionError("a member failed: " + plan, failures.remove());
      failures.forEach(first::addSuppressed);
      throw first;
    }
    compare();
    long steps = members.stream().mapToLong(RandomThread::steps).sum();
    long refused = members.stream().mapToLong(RandomThread::refused).sum();
    return new Report(steps, refused, interrupts, datasets.all().size());
  }

  static String groupPath(int group) {
    return "/group" + group;
  }

  private void work() {
    List<Thread> threads = new ArrayList<>();
    for (RandomThread member : members) {
      threads.add(plan.threads().builder("member-" + member.number(), failures).start(member));
    }
    if (plan.disturbance() == Disturbance.INTERRUPTS) {
      disturb(threads);
    }
    for (Thread thread : threads) {
      join(thread);
    }
  }

  private void disturb(List<Thread> threads) {
    Random random = new Random(plan.seed());
    while (threads.stream().anyMatch(Thread::isAlive)) {
      LockSupport.parkNanos(random.nextInt(2_000_000));
      threads.get(random.nextInt(threads.size())).interrupt();
      interrupts++;
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void compare() {
    List<String> findings = new ArrayList<>();
    var unused = Verification.of(path, finding -> findings.add(finding.toString()));
    if (!findings.isEmpty()) {
      throw new AssertionError("the file is damaged: " + plan + " " + findings);
    }
    try (H5File file = H5File.open(path)) {
      datasets.all().forEach(dataset -> dataset.checkAll(file));
      members.forEach(member -> member.checkAll(file));
    }
  }

  /** Returns the content that other programs must be able to read: the dense, numeric datasets. */
  public Expectations expectations() {
    Expectations expected = new Expectations();
    for (SharedDataset dataset : datasets.all()) {
      if (!dataset.layout().isText() && !dataset.layout().isSparse()) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[dataset.numbers().length * 4]);
        MemorySegment.copy(
            dataset.numbers(),
            0,
            bytes,
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
            0,
            dataset.numbers().length);
        expected.dataset(
            dataset.path(),
            "<i4",
            Shape.of(dataset.rows(), SharedLayout.COLUMNS),
            bytes.toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return expected;
  }
}
