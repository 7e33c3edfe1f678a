package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an interrupted operation is refused or completed as a whole. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class InterruptedThreadsTest {
  private static final int ROUNDS = 300;
  private static final Shape SHAPE = Shape.of(4096);

  @TempDir Path folder;

  private static int[] filled(int value) {
    int[] values = new int[(int) SHAPE.elements()];
    Arrays.fill(values, value);
    return values;
  }

  /** Runs rounds while another thread writes continuously to a dataset of the file. */
  private static void beside(H5File file, IntConsumer round) throws InterruptedException {
    Dataset busy =
        file.createDataset(
            "/busy", DatasetSpec.of(Datatype.I32, SHAPE).chunked(1024).filters(Filters.deflate(6)));
    AtomicBoolean done = new AtomicBoolean();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Thread other =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, e) -> failures.add(e))
            .start(() -> {
              for (int value = 1; !done.get(); value++) {
                busy.write(Selection.all(), filled(value));
              }
            });
    try {
      for (int i = 1; i <= ROUNDS && failures.isEmpty(); i++) {
        round.accept(i);
      }
    } finally {
      done.set(true);
      boolean unused = Thread.interrupted();
      other.join();
    }
    assertEquals(0, failures.size(), () -> "the other writer failed: " + failures.peek());
  }

  @Test
  void a_refused_write_has_no_effect() throws InterruptedException {
    FileOptions options = FileOptions.standard().withDirtyLimit(1);
    Path path = folder.resolve("written.h5");
    int[] last = {0};
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      Dataset data = file.createDataset("/data", DatasetSpec.of(Datatype.I32, SHAPE).chunked(1024));
      data.write(Selection.all(), filled(0));
      beside(
          file,
          value -> {
            Thread.currentThread().interrupt();
            try {
              data.write(Selection.all(), filled(value));
              last[0] = value;
            } catch (RequestInterruptedException e) {
              assertTrue(Thread.currentThread().isInterrupted());
            }
            assertTrue(Thread.interrupted(), "the interrupt is lost");
            assertArrayEquals(filled(last[0]), data.readInts(Selection.all()));
          });
    }
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(filled(last[0]), file.dataset("/data").readInts(Selection.all()));
    }
  }

  @Test
  void a_dataset_whose_creation_is_refused_does_not_exist() throws InterruptedException {
    // The other writer takes all of the cache.
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(300));
    Path path = folder.resolve("created.h5");
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      DatasetSpec early =
          DatasetSpec.of(Datatype.I32, Shape.of(64))
              .chunked(16)
              .allocation(DatasetSpec.Allocation.EARLY);
      beside(
          file,
          i -> {
            boolean made = false;
            Thread.currentThread().interrupt();
            try {
              var unused = file.createDataset("/data" + i, early);
              made = true;
            } catch (RequestInterruptedException e) {
              assertTrue(Thread.currentThread().isInterrupted());
            }
            assertTrue(Thread.interrupted(), "the interrupt is lost");
            String name = "data" + i;
            assertEquals(
                made, file.root().links().stream().anyMatch(link -> link.name().equals(name)));
            if (made) {
              file.unlink("/" + name);
            }
          });
    }
  }
}
