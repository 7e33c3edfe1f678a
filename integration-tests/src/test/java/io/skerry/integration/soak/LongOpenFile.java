package io.skerry.integration.soak;

import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.integration.concurrency.ConcurrentThreads;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** A file of one rank that stays open while guests write, compare and delete their datasets. */
final class LongOpenFile implements AutoCloseable {
  private static final int GUESTS = 3;

  private final Path path;
  private final H5File file;
  private long visits;
  private long largest;

  private LongOpenFile(Path path, H5File file) {
    this.path = path;
    this.file = file;
  }

  static LongOpenFile create(Path folder) {
    Path path = folder.resolve("standing.h5");
    FileOptions options =
        FileOptions.standard()
            .withWorkers(2)
            .withDirtyLimit(4000)
            .withCache(CacheOptions.standard().withFixedSize(8000).withDatasetMinimum(0));
    return new LongOpenFile(path, H5File.create(path, Communicator.self(), options));
  }

  /**
   * Runs guests, each in a thread that is interrupted at random times.
   *
   * @return the number of operations that an interrupt canceled
   * @throws AssertionError if a guest read values that it did not write, or the file is not empty
   *     afterwards
   */
  long visit(long seed, ConcurrentThreads.Threads kind) throws IOException {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<SharedFileUser> guests = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < GUESTS; i++) {
      SharedFileUser guest = new SharedFileUser(file, "/guest" + i, seed * GUESTS + i);
      guests.add(guest);
      threads.add(kind.builder("guest-" + i, failures).start(guest));
    }
    Random random = new Random(seed);
    while (threads.stream().anyMatch(Thread::isAlive)) {
      LockSupport.parkNanos(random.nextInt(3_000_000));
      threads.get(random.nextInt(GUESTS)).interrupt();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("a guest failed", failures.remove());
    }
    List<Group.Link> left = file.root().links();
    if (!left.isEmpty()) {
      throw new AssertionError("guests left something: " + left);
    }
    visits += GUESTS;
    largest = Math.max(largest, Files.size(path));
    return guests.stream().mapToLong(SharedFileUser::refused).sum();
  }

  @Override
  public void close() throws IOException {
    file.close();
    Files.delete(path);
  }

  @Override
  public String toString() {
    return "guests=" + visits + " largest standing file=" + largest;
  }
}
