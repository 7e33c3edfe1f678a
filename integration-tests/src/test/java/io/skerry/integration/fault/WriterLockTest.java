package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a file that is open for writing cannot be opened for writing again. */
class WriterLockTest {
  @TempDir Path folder;

  private static boolean isRefused(Path path) {
    try {
      H5File.openForWriting(path, Communicator.self()).close();
      return false;
    } catch (CollectiveException e) {
      assertTrue(e.getMessage().contains("open for writing elsewhere"), e.getMessage());
      return true;
    }
  }

  @Test
  void a_writer_excludes_other_writers_from_before_its_first_read_until_it_closes() {
    Path path = folder.resolve("locked.h5");
    H5File.create(path, Communicator.self()).close();
    AtomicInteger refused = new AtomicInteger();
    FileProbe probe =
        new FileProbe() {
          @Override
          public Optional<MpiException> before(
              int rank, FileCall call, FileView view, MemorySegment data) {
            if (rank == 0 && call != FileCall.CLOSE) {
              assertTrue(isRefused(path), () -> "let in before " + call);
              refused.incrementAndGet();
            }
            return Optional.empty();
          }
        };
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.openForWriting(path, new ProbedCommunicator(world, probe))) {
            file.createGroup("/" + world.size());
          }
        });
    assertTrue(refused.get() > 3, "calls=" + refused);
    assertFalse(isRefused(path));
  }

  @Test
  void a_discarded_file_stays_locked_until_the_last_rank_has_ended_its_writes() {
    Path path = folder.resolve("discarded.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(4)))
          .write(Selection.all(), new int[4]);
    }
    CountDownLatch writes = new CountDownLatch(1);
    CountDownLatch checked = new CountDownLatch(1);
    FileProbe probe =
        new FileProbe() {
          @Override
          public Optional<MpiException> before(
              int rank, FileCall call, FileView view, MemorySegment data) {
            if (rank == 1 && call == FileCall.WRITE_ALONE) {
              writes.countDown();
              await(checked);
            }
            return Optional.empty();
          }
        };
    AtomicBoolean refused = new AtomicBoolean();
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              await(writes);
              // Rank 0 needs far less time than this to close the file.
              LockSupport.parkNanos(500_000_000);
              refused.set(isRefused(path));
              checked.countDown();
            });
    LocalRanks.run(
        2,
        world -> {
          H5File file = H5File.openForWriting(path, new ProbedCommunicator(world, probe));
          Dataset data = file.dataset("/data");
          if (world.rank() == 1) {
            Thread unused =
                Thread.ofPlatform()
                    .start(() -> data.independent().write(Selection.at(1), new int[] {1}));
            await(writes);
          }
          file.discard();
        });
    join(other);
    assertTrue(refused.get(), "another program may write while a write of rank 1 is in progress");
    assertFalse(isRefused(path));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_file_that_cannot_be_opened_is_unchanged() throws Exception {
    Path path = folder.resolve("other.h5");
    Files.writeString(path, "no HDF5 file");
    LocalRanks.run(
        2,
        world -> assertThrows(CollectiveException.class, () -> H5File.openForWriting(path, world)));
    assertEquals("no HDF5 file", Files.readString(path));
    try (var files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }
}
