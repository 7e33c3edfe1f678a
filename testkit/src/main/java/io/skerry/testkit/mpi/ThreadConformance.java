package io.skerry.testkit.mpi;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MemoryView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Conformance suite for calls on a file by threads other than the rank's own, some of them
 * interrupted.
 */
public final class ThreadConformance implements RankedCases {
  private static final int BYTES = 300_000;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("many_threads_read_at_once", ThreadConformance::reads),
        new RankedCase("many_threads_write_and_read_at_once", ThreadConformance::writes),
        new RankedCase(
            "an_interrupted_thread_goes_on_and_disturbs_no_other", ThreadConformance::interrupts),
        new RankedCase(
            "a_pending_interrupt_disturbs_no_call_of_a_rank_alone", ThreadConformance::pending),
        new RankedCase(
            "threads_read_while_the_ranks_do_something_together", ThreadConformance::beside));
  }

  private static byte[] random(long seed, int bytes) {
    var random = new byte[bytes];
    new Random(seed).nextBytes(random);
    return random;
  }

  /** Threads of this rank. Joining the threads reports their failures. */
  private static final class Crew {
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    Thread start(Expect.Action action) {
      var thread =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  action.run();
                } catch (Throwable t) {
                  failures.add(t);
                }
              });
      threads.add(thread);
      return thread;
    }

    void join() throws InterruptedException {
      for (var thread : threads) {
        thread.join();
      }
      Expect.equal(List.of(), List.copyOf(failures), "failures of threads");
    }
  }

  /** Writes a file with the given bytes and opens it on all ranks. */
  private static MpiFile stored(
      Communicator world, SharedFolder folder, byte[] bytes, OpenMode mode) {
    var path = folder.file("data");
    try (var file = world.openFile(path, OpenMode.CREATE, Map.of())) {
      if (world.rank() == 0) {
        file.writeAt(0, MemorySegment.ofArray(bytes));
      }
      file.sync();
    }
    world.barrier();
    var file = world.openFile(path, mode, Map.of());
    world.barrier();
    return file;
  }

  /** Reads at a random position into memory of a random kind, and checks the bytes. */
  private static void readSomewhere(MpiFile file, byte[] expected, Random random) {
    int at = random.nextInt(expected.length);
    int length = random.nextInt(Math.min(expected.length - at, 1 << random.nextInt(17)) + 1);
    var wanted = Arrays.copyOfRange(expected, at, at + length);
    try (var arena = Arena.ofConfined()) {
      var memory =
          random.nextBoolean() ? MemorySegment.ofArray(new byte[length]) : arena.allocate(length);
      boolean scattered =
          length > 1
              && random.nextInt(4) == 0
              && file.scatterAt(
                  at, memory, MemoryView.of(new long[] {length / 2, 0}, halves(length)));
      if (scattered) {
        int second = length - length / 2;
        Expect.bytes(Arrays.copyOf(wanted, second), memory.asSlice(length / 2), "first half");
        wanted = Arrays.copyOfRange(wanted, second, length);
        memory = memory.asSlice(0, length / 2);
      } else {
        file.readAt(at, memory);
      }
      Expect.bytes(wanted, memory, length + " bytes at " + at);
    }
  }

  private static long[] halves(int length) {
    return new long[] {length - length / 2, length / 2};
  }

  private static void reads(Communicator world) throws Exception {
    var bytes = random(1, BYTES);
    for (var mode : List.of(OpenMode.READ, OpenMode.WRITE)) {
      try (var folder = SharedFolder.create(world);
          var file = stored(world, folder, bytes, mode)) {
        var crew = new Crew();
        for (int i = 0; i < 4; i++) {
          var random = new Random(100L * world.rank() + i);
          crew.start(() -> {
            for (int n = 0; n < 50; n++) {
              readSomewhere(file, bytes, random);
              Expect.equal((long) BYTES, file.size(), "size");
            }
          });
        }
        crew.join();
        world.barrier();
      }
    }
  }

  /** Each thread writes and reads a part of the file that no other thread accesses. */
  private static void writes(Communicator world) throws Exception {
    int threads = 3;
    int each = 40_000;
    try (var folder = SharedFolder.create(world);
        var file = world.openFile(folder.file("data"), OpenMode.CREATE, Map.of())) {
      file.setSize((long) threads * each * world.size());
      file.sync();
      var crew = new Crew();
      for (int i = 0; i < threads; i++) {
        int own = world.rank() * threads + i;
        crew.start(() -> {
          var random = new Random(own);
          var model = new byte[each];
          for (int n = 0; n < 30; n++) {
            int at = random.nextInt(each);
            int length = random.nextInt(Math.min(each - at, 1 << random.nextInt(16)) + 1);
            var part = random(random.nextLong(), length);
            System.arraycopy(part, 0, model, at, length);
            try (var arena = Arena.ofConfined()) {
              var heap = MemorySegment.ofArray(part);
              var memory = random.nextBoolean() ? heap : arena.allocate(length).copyFrom(heap);
              file.writeAt((long) own * each + at, memory);
            }
            var back = MemorySegment.ofArray(new byte[each]);
            file.readAt((long) own * each, back);
            Expect.bytes(model, back, "the stretch of thread " + own);
          }
        });
      }
      crew.join();
      world.barrier();
    }
  }

  /**
   * Sleeps briefly, because ranks that wait for each other in an MPI library use all processor
   * time.
   */
  private static void letOthersRun() {
    LockSupport.parkNanos(500_000);
  }

  private static void interrupts(Communicator world) throws Exception {
    var bytes = random(2, BYTES);
    for (var mode : List.of(OpenMode.READ, OpenMode.WRITE)) {
      try (var folder = SharedFolder.create(world);
          var file = stored(world, folder, bytes, mode)) {
        var crew = new Crew();
        var done = new AtomicBoolean();
        var survived = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
          var random = new Random(i);
          crew.start(() -> {
            while (!done.get()) {
              readSomewhere(file, bytes, random);
              letOthersRun();
            }
          });
        }
        var random = new Random(7L + world.rank());
        for (int n = 0; n < 10; n++) {
          var seed = random.nextLong();
          var victim =
              crew.start(() -> {
                var own = new Random(seed);
                for (int reads = 0; !Thread.currentThread().isInterrupted(); reads++) {
                  readSomewhere(file, bytes, own);
                }
                // The interrupt is pending during this read.
                readSomewhere(file, bytes, own);
                Expect.equal((long) BYTES, file.size(), "size");
                if (mode == OpenMode.WRITE) {
                  int at = own.nextInt(BYTES - 10);
                  file.writeAt(at, MemorySegment.ofArray(bytes).asSlice(at, 10));
                }
                Expect.that(Thread.interrupted(), "the interrupt stays set");
                survived.incrementAndGet();
              });
          Thread.sleep(0, random.nextInt(900_000));
          victim.interrupt();
          victim.join();
        }
        done.set(true);
        crew.join();
        Expect.equal(10, survived.get(), "threads that were interrupted and went on");
        readSomewhere(file, bytes, random);
        world.barrier();
      }
    }
  }

  private static void pending(Communicator world) throws Exception {
    try (var folder = SharedFolder.create(world);
        var alone = world.split(world.rank(), 0)) {
      var path = folder.file("rank" + world.rank());
      var crew = new Crew();
      // This runs on a separate thread, because an interrupt of the rank's thread would end its
      // waits for other ranks.
      crew.start(() -> {
        Thread.currentThread().interrupt();
        try (var file = alone.openFile(path, OpenMode.CREATE, Map.of())) {
          file.setSize(10);
          file.writeAtAll(FileView.of(2, 3), MemorySegment.ofArray(new byte[] {1, 2, 3}));
          file.sync();
          file.setSize(8);
          var back = MemorySegment.ofArray(new byte[8]);
          file.readAtAll(FileView.of(0, 8), back);
          Expect.bytes(new byte[] {0, 0, 1, 2, 3, 0, 0, 0}, back, "bytes");
        }
        Expect.that(Thread.interrupted(), "the interrupt stays set");
      });
      crew.join();
      world.barrier();
    }
  }

  /** Two threads read while the rank's own thread makes collective calls. */
  private static void beside(Communicator world) throws Exception {
    var bytes = random(3, BYTES);
    try (var folder = SharedFolder.create(world);
        var file = stored(world, folder, bytes, OpenMode.WRITE)) {
      var crew = new Crew();
      var done = new AtomicBoolean();
      for (int i = 0; i < 2; i++) {
        var random = new Random(i);
        crew.start(() -> {
          while (!done.get()) {
            readSomewhere(file, bytes, random);
            letOthersRun();
          }
        });
      }
      for (int round = 0; round < 8; round++) {
        var own = random(round * 100L + world.rank(), 1000);
        long at = BYTES + 1000L * (round * world.size() + world.rank());
        file.writeAtAll(FileView.of(at, 1000), MemorySegment.ofArray(own));
        file.sync();
        var back = MemorySegment.ofArray(new byte[1000]);
        file.readAtAll(FileView.of(at, 1000), back);
        Expect.bytes(own, back, "round " + round);
      }
      done.set(true);
      crew.join();
      world.barrier();
    }
  }
}
