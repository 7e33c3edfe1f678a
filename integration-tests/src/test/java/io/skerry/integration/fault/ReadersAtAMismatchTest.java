package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that threads which wait to read do not block the closing of a file after a mismatch. */
class ReadersAtAMismatchTest {
  private static final int ELEMENTS = 1024;

  @TempDir Path folder;

  private static int[] filled(int value) {
    int[] values = new int[ELEMENTS];
    Arrays.fill(values, value);
    return values;
  }

  private static void onRanks(int ranks, LocalRanks.Body body) {
    assertTimeoutPreemptively(Duration.ofSeconds(40), () -> LocalRanks.run(ranks, body));
  }

  private static void write(Communicator world, Dataset data, int value) {
    boolean first = world.rank() == 0;
    data.write(first ? Selection.all() : Selection.none(), first ? filled(value) : new int[0]);
  }

  @Test
  void a_reader_that_waits_for_a_write_into_a_block_does_not_block_closing_after_a_mismatch() {
    Path path = folder.resolve("flat.h5");
    CompletableFuture<BackgroundReader> started = new CompletableFuture<>();
    onRanks(
        2,
        world -> {
          H5File file = H5File.create(path, world);
          Dataset flat =
              file.createDataset(
                  "/flat", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).contiguous());
          write(world, flat, 1);
          file.flush();
          Dataset own = flat.independent();
          if (world.rank() == 0) {
            Thread owner = Thread.currentThread();
            started.complete(
                BackgroundReader.start(() -> {
                  BackgroundReader.awaitWaiting(owner, "FlatLocks");
                  return own.readInts(Selection.all());
                }));
            assertThrows(CollectiveException.class, () -> flat.write(Selection.all(), filled(2)));
          } else {
            started.join().awaitWaitingIn("FlatLocks");
            assertThrows(CollectiveException.class, file::close);
          }
        });
    assertTrue(started.join().result().isEmpty(), "read from a file that is closed");
  }

  @Test
  void a_reader_that_waits_for_memory_does_not_block_closing_after_a_mismatch() {
    Path path = folder.resolve("room.h5");
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    CompletableFuture<BackgroundReader> started = new CompletableFuture<>();
    onRanks(
        2,
        world -> {
          H5File file = H5File.create(path, world, options);
          Dataset data =
              file.createDataset(
                  "/data",
                  DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS))
                      .chunked(16)
                      .filters(Filters.deflate(1)));
          write(world, data, 1);
          file.flush();
          // This chunk cannot be evicted before the flush.
          data.write(Selection.at(1L + 16 * world.rank()), new int[] {2});
          Dataset own = data.independent();
          if (world.rank() == 0) {
            Thread owner = Thread.currentThread();
            started.complete(
                BackgroundReader.start(() -> {
                  BackgroundReader.awaitWaiting(owner, "CollectiveSteps");
                  return own.readInts(Selection.at(33).extent(2));
                }));
            assertThrows(CollectiveException.class, () -> file.createGroup("/group"));
          } else {
            started.join().awaitWaitingIn("Storer");
            assertThrows(CollectiveException.class, file::close);
          }
        });
    started.join().result().ifPresent(read -> assertArrayEquals(new int[] {1, 1}, read));
  }

  @Test
  void a_reader_that_waits_for_a_flush_does_not_block_closing_after_a_mismatch() {
    Path path = folder.resolve("flush.h5");
    CompletableFuture<BackgroundReader> started = new CompletableFuture<>();
    AtomicBoolean armed = new AtomicBoolean();
    // Rank 1 leaves the flush at a point where rank 0 permits no reads.
    Runnable deserter =
        () -> {
          if (armed.get() && isCommitting()) {
            started.join().awaitWaitingIn("WaitForGraph");
            throw new AssertionError("a rank that leaves");
          }
        };
    onRanks(
        2,
        world -> {
          H5File file = H5File.create(path, world.rank() == 1 ? leaving(world, deserter) : world);
          Dataset data =
              file.createDataset(
                  "/data",
                  DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS))
                      .chunked(16)
                      .filters(Filters.deflate(1)));
          write(world, data, 1);
          file.flush();
          data.write(Selection.at(1L + 16 * world.rank()), new int[] {2});
          Dataset own = data.independent();
          armed.set(true);
          if (world.rank() == 0) {
            Thread owner = Thread.currentThread();
            started.complete(
                BackgroundReader.start(() -> {
                  BackgroundReader.awaitWaiting(owner, "Commit");
                  return own.readInts(Selection.at(33).extent(2));
                }));
            assertThrows(CollectiveException.class, file::flush);
          } else {
            assertThrows(AssertionError.class, file::flush);
            assertThrows(CollectiveException.class, file::close);
          }
        });
    started.join().result().ifPresent(read -> assertArrayEquals(new int[] {1, 1}, read));
  }

  @Test
  void a_reader_of_another_dataset_does_not_block_closing_after_a_mismatch_in_a_write() {
    Path path = folder.resolve("written.h5");
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    CompletableFuture<BackgroundReader> started = new CompletableFuture<>();
    AtomicBoolean armed = new AtomicBoolean();
    // Rank 1 leaves the write at a point where rank 0 permits no reads of the written dataset.
    Runnable deserter =
        () -> {
          if (armed.get() && isPublishing(Thread.currentThread())) {
            started.join().awaitWaitingIn("Storer");
            throw new AssertionError("a rank that leaves");
          }
        };
    DatasetSpec spec =
        DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(16).filters(Filters.deflate(1));
    onRanks(
        2,
        world -> {
          Communicator ranks = world.rank() == 1 ? leaving(world, deserter) : world;
          H5File file = H5File.create(path, ranks, options);
          Dataset data = file.createDataset("/data", spec);
          Dataset other = file.createDataset("/other", spec);
          write(world, data, 1);
          write(world, other, 1);
          file.flush();
          // These chunks cannot be evicted before the flush, so a read has to make room.
          data.write(Selection.at(1L + 16 * world.rank()), new int[] {2});
          Dataset own = other.independent();
          armed.set(true);
          if (world.rank() == 0) {
            Thread owner = Thread.currentThread();
            started.complete(
                BackgroundReader.start(() -> {
                  while (!isPublishing(owner)) {
                    Thread.onSpinWait();
                  }
                  return own.readInts(Selection.at(33).extent(2));
                }));
            assertThrows(
                CollectiveException.class,
                () -> data.write(Selection.at(1).extent(1), new int[] {3}));
          } else {
            assertThrows(AssertionError.class, () -> data.write(Selection.none(), new int[0]));
            assertThrows(CollectiveException.class, file::close);
          }
        });
    started.join().result().ifPresent(read -> assertArrayEquals(new int[] {1, 1}, read));
  }

  /** Returns whether a thread is in the agreement that precedes the publication of a write. */
  private static boolean isPublishing(Thread thread) {
    String before = "";
    for (StackTraceElement frame : thread.getStackTrace()) {
      String name = frame.getClassName().replaceFirst(".*\\.", "") + "." + frame.getMethodName();
      if (name.equals("CollectiveWriter.write")) {
        return before.equals("CollectiveOutcome.agree");
      }
      before = name;
    }
    return false;
  }

  /** Wraps a communicator and those derived from it; {@code before} precedes each agreement. */
  private static Communicator leaving(Communicator ranks, Runnable before) {
    return leaving(Communicator.class, ranks, before);
  }

  private static <T> T leaving(Class<T> type, T calls, Runnable before) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getName().equals("agree")) {
                before.run();
              }
              try {
                return switch (method.invoke(calls, arguments)) {
                  case Communicator made -> leaving(made, before);
                  case CallOrder made -> leaving(CallOrder.class, made, before);
                  case null -> null;
                  case Object result -> result;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static boolean isCommitting() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith(".Commit")));
  }
}
