package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests reads that wait for a shrink of the extent and whose selection is outside the new extent.
 */
class ReadsDuringShrinkTest {
  private static final int ROWS = 8;
  private static final int COLUMNS = 64;

  /** A selection partly outside after the shrink, which cuts one of its chunks and removes two. */
  private static final Selection LOST = Selection.at(2, 0).extent(6, COLUMNS);

  @TempDir Path folder;

  private final AtomicBoolean stops = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** An access to a dataset. */
  @FunctionalInterface
  private interface Question {
    Object ask(Dataset data);
  }

  private FileProbe stopping() {
    return (_, call, _, _) -> {
      boolean alone = call == FileCall.WRITE_ALONE || call == FileCall.READ_ALONE;
      if (alone && stops.compareAndSet(true, false)) {
        stopped.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return Optional.empty();
    };
  }

  /** Starts a thread that makes an access, and returns when the thread waits or has ended. */
  private static FutureTask<Object> waiting(Question question, Dataset data)
      throws InterruptedException {
    FutureTask<Object> task = new FutureTask<>(() -> question.ask(data));
    Thread thread = Thread.ofPlatform().daemon().start(task);
    while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
      Thread.sleep(5);
    }
    return task;
  }

  /** Opens a file of sevens in which the next independent call blocks once {@code stops} is set. */
  private H5File sevens(DatasetSpec spec) {
    Path path = folder.resolve("shrinks.h5");
    int[] sevens = new int[ROWS * COLUMNS];
    Arrays.fill(sevens, 7);
    try (H5File file = H5File.create(path)) {
      file.createDataset("/data", spec).write(Selection.all(), sevens);
    }
    return H5File.openForWriting(path, new ProbedCommunicator(Communicator.self(), stopping()));
  }

  /** Returns the exception of an access that waits for a shrink of the extent to 3 rows. */
  private Throwable refusal(Dataset data, Question question) throws Exception {
    stops.set(true);
    FutureTask<Object> write =
        waiting(
            it -> {
              it.write(Selection.at(0, 0), new int[] {7});
              return true;
            },
            data);
    stopped.await();
    FutureTask<Object> shrink =
        waiting(
            it -> {
              it.extend(3);
              return true;
            },
            data);
    FutureTask<Object> read = waiting(question, data);
    goOn.countDown();
    assertEquals(true, write.get());
    assertEquals(true, shrink.get());
    return assertThrows(ExecutionException.class, read::get).getCause();
  }

  private void isRefusedAsOutside(DatasetSpec spec, Question question) throws Exception {
    try (H5File file = sevens(spec)) {
      Dataset data = file.dataset("/data");
      Throwable refusal = refusal(data, question);
      RuntimeException outside = assertThrows(RuntimeException.class, () -> question.ask(data));
      assertInstanceOf(outside.getClass(), refusal);
      assertEquals(outside.getMessage(), refusal.getMessage());
    }
  }

  private static DatasetSpec plain() {
    return DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS).unlimited(0)).chunked(2, COLUMNS);
  }

  private static DatasetSpec sparse() {
    return DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS).unlimited(0)).sparse(2, COLUMNS);
  }

  @Test
  void values_outside_the_new_extent_are_refused() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> isRefusedAsOutside(plain(), data -> data.readInts(LOST)));
  }

  @Test
  void sparse_values_outside_the_new_extent_are_refused() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> isRefusedAsOutside(sparse(), data -> data.readInts(LOST)));
  }

  @Test
  void queries_of_defined_elements_outside_the_new_extent_are_refused() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> isRefusedAsOutside(sparse(), data -> data.defined(LOST)));
  }

  /** The buffer for the values is allocated with the size of the old extent. */
  @Test
  void the_whole_old_extent_is_refused_after_a_shrink() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          try (H5File file = sevens(plain())) {
            Dataset data = file.dataset("/data");
            Throwable refusal = refusal(data, it -> it.readInts(Selection.all()));
            assertTrue(refusal.getMessage().contains("outside the extent"), refusal.getMessage());
            assertEquals(3 * COLUMNS, data.readInts(Selection.all()).length);
          }
        });
  }
}
