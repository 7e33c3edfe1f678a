package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.TransferReport.Departure;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests slow reads of data that the ranks delete, replace or write to at the same time. */
class DelayedReadsTest {
  private static final int ELEMENTS = 1024;
  private static final int BYTES = 4 * ELEMENTS;

  @TempDir Path folder;

  /**
   * Delays the next read of {@code bytes} bytes by rank 0 until it is released or a limit has
   * passed. The limit is needed since other operations may wait for the read.
   */
  private static final class Detention implements FileProbe {
    private final long bytes;
    private final int seconds;
    private final AtomicBoolean armed = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    Detention(long bytes) {
      this(bytes, 1);
    }

    Detention(long bytes, int seconds) {
      this.bytes = bytes;
      this.seconds = seconds;
    }

    @Override
    public Optional<MpiException> before(
        int rank, FileCall call, FileView view, MemorySegment data) {
      if (rank == 0
          && call == FileCall.READ_ALONE
          && view.totalBytes() == bytes
          && armed.compareAndSet(true, false)) {
        reached.countDown();
        await(released, seconds);
        ended.set(true);
      }
      return Optional.empty();
    }
  }

  private static boolean await(CountDownLatch latch, int seconds) {
    try {
      return latch.await(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

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

  /** Deletes a dataset and reuses its space for another while a thread of rank 0 reads it. */
  private void replaceWhileReading(int ranks, DatasetSpec spec) {
    Detention detention = new Detention(BYTES);
    Path path = folder.resolve("deleted.h5");
    // The cache retains no chunk.
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    onRanks(
        ranks,
        world -> {
          Optional<BackgroundReader> reader = Optional.empty();
          try (H5File file =
              H5File.create(path, new ProbedCommunicator(world, detention), options)) {
            Dataset doomed = file.createDataset("/doomed", spec);
            write(world, doomed, 1);
            file.flush();
            Dataset own = doomed.independent();
            if (world.rank() == 0) {
              detention.armed.set(true);
              reader = Optional.of(BackgroundReader.start(() -> own.readInts(Selection.all())));
              assertTrue(await(detention.reached, 20));
            }
            world.barrier();
            file.unlink("/doomed");
            file.flush();
            // Reuses the address of the deleted object header, since that address identifies the
            // locks.
            var unused = file.createDataset("/between", spec);
            write(world, file.createDataset("/next", spec), 7);
            file.flush();
            world.barrier();
            detention.released.countDown();
            reader
                .flatMap(BackgroundReader::result)
                .ifPresent(read -> assertArrayEquals(filled(1), read));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_delayed_read_of_a_block_ends_before_another_dataset_gets_the_block(int ranks) {
    replaceWhileReading(ranks, DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).contiguous());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_delayed_read_of_a_chunk_ends_before_another_dataset_gets_its_space(int ranks) {
    replaceWhileReading(ranks, DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(ELEMENTS));
  }

  @Test
  void a_read_sees_no_chunk_that_was_replaced_but_not_flushed() {
    int chunk = 16;
    Detention detention = new Detention(4 * chunk);
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    Path path = folder.resolve("replaced.h5");
    onRanks(
        2,
        world -> {
          Optional<BackgroundReader> reader = Optional.empty();
          try (H5File file =
              H5File.create(path, new ProbedCommunicator(world, detention), options)) {
            Dataset data =
                file.createDataset(
                    "/data",
                    DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS))
                        .chunked(chunk)
                        .allocation(DatasetSpec.Allocation.EARLY));
            write(world, data, 1);
            file.flush();
            Dataset own = data.independent();
            if (world.rank() == 0) {
              detention.armed.set(true);
              // Reads parts of two chunks, one after the other.
              reader =
                  Optional.of(
                      BackgroundReader.start(() -> own.readInts(Selection.at(1).extent(30))));
              assertTrue(await(detention.reached, 20));
            }
            world.barrier();
            ChunkImage sevens = new ChunkImage(sevens(chunk), SectionTable.plain(4L * chunk));
            data.writeChunks(
                world.rank() == 0 ? Map.of(List.of(0L), sevens, List.of(16L), sevens) : Map.of());
            world.barrier();
            detention.released.countDown();
            if (reader.isPresent()) {
              int[] ones = new int[30];
              Arrays.fill(ones, 1);
              assertArrayEquals(ones, reader.get().result().orElseThrow());
            }
          }
        });
  }

  @Test
  void collective_writes_to_a_dataset_do_not_wait_for_a_read_of_another_dataset() {
    int chunk = 16;
    Detention detention = new Detention(4 * chunk, 20);
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(chunk);
    Path path = folder.resolve("others.h5");
    onRanks(
        2,
        world -> {
          Optional<BackgroundReader> reader = Optional.empty();
          try (H5File file =
              H5File.create(path, new ProbedCommunicator(world, detention), options)) {
            Dataset slow = file.createDataset("/slow", spec);
            Dataset data = file.createDataset("/data", spec);
            write(world, slow, 1);
            write(world, data, 1);
            file.flush();
            Dataset own = slow.independent();
            if (world.rank() == 0) {
              detention.armed.set(true);
              reader =
                  Optional.of(
                      BackgroundReader.start(() -> own.readInts(Selection.at(1).extent(10))));
              assertTrue(await(detention.reached, 20));
            }
            world.barrier();
            ChunkImage sevens = new ChunkImage(sevens(chunk), SectionTable.plain(4L * chunk));
            data.writeChunks(world.rank() == 0 ? Map.of(List.of(32L), sevens) : Map.of());
            assertFalse(detention.ended.get(), "the write of a chunk has waited for the read");
            data.write(Selection.at(3L + 16 * world.rank()), new int[] {2});
            assertTrue(file.lastTransfer().orElseThrow().departures().contains(Departure.IN_PLACE));
            assertFalse(detention.ended.get(), "the write in place has waited for the read");
            data.write(Selection.at(65), new int[] {3 + world.rank()});
            assertFalse(detention.ended.get(), "the write has waited for the read");
            world.barrier();
            detention.released.countDown();
            if (reader.isPresent()) {
              int[] ones = new int[10];
              Arrays.fill(ones, 1);
              assertArrayEquals(ones, reader.get().result().orElseThrow());
            }
          }
        });
  }

  private static MemorySegment sevens(int elements) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * elements).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      bytes.putInt(7);
    }
    return MemorySegment.ofArray(bytes.array());
  }
}
