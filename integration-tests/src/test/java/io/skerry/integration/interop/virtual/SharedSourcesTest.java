package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collective reads of a virtual dataset whose sources several ranks want. */
class SharedSourcesTest {
  private static final int SOURCES = 6;
  private static final int MISSING = 4;
  private static final int ROWS = 8;
  private static final int WIDTH = 5;
  private static final int CHUNKS = (SOURCES - 1) * ROWS / 2;

  @TempDir Path folder;

  @BeforeEach
  void creates_the_sources() {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int source = 0; source < SOURCES; source++) {
      String name = "source" + source + ".h5";
      layout.map(
          Selection.at((long) source * ROWS, 0).extent(ROWS, WIDTH), VirtualSource.of(name, "/d"));
      if (source != MISSING) {
        try (H5File file = H5File.create(folder.resolve(name))) {
          file.createDataset(
                  "d",
                  DatasetSpec.of(Datatype.I32, Shape.of(ROWS, WIDTH))
                      .chunked(2, WIDTH)
                      .filters(CountedFilter.spec()))
              .write(Selection.all(), values(source * ROWS, (source + 1) * ROWS));
        }
      }
    }
    try (H5File file = H5File.create(folder.resolve("all.h5"))) {
      Dataset unused =
          file.createDataset(
              "all",
              DatasetSpec.of(Datatype.I32, Shape.of(SOURCES * ROWS, WIDTH))
                  .fillValue((byte) -1, (byte) -1, (byte) -1, (byte) -1)
                  .virtual(layout.build()));
    }
    CountedFilter.DECODED.set(0);
    CountedFilter.FAILING.set(0);
  }

  private static int[] values(int from, int end) {
    return IntStream.range(from * WIDTH, end * WIDTH).toArray();
  }

  private static int[] expected(int from, int end) {
    return IntStream.range(from * WIDTH, end * WIDTH)
        .map(value -> value / WIDTH / ROWS == MISSING ? -1 : value)
        .toArray();
  }

  private static int[] rows(Dataset dataset, int from, int end) {
    return dataset.readInts(Selection.at(from, 0).extent(end - from, WIDTH));
  }

  private void onRanks(int ranks, Function<Communicator, int[]> range) {
    List<Boolean> unused =
        LocalRanks.call(
            ranks,
            world -> {
              int[] wanted = range.apply(world);
              try (H5File file = H5File.open(folder.resolve("all.h5"), world)) {
                assertArrayEquals(
                    expected(wanted[0], wanted[1]),
                    rows(file.dataset("all"), wanted[0], wanted[1]));
              }
              return true;
            });
  }

  @Test
  void each_chunk_is_decoded_once_if_all_ranks_want_everything() {
    for (int ranks : new int[] {1, 2, 4}) {
      CountedFilter.DECODED.set(0);
      onRanks(ranks, _ -> new int[] {0, SOURCES * ROWS});
      assertEquals(CHUNKS, CountedFilter.DECODED.get(), ranks + " ranks");
    }
  }

  @Test
  void each_chunk_is_decoded_once_if_the_ranks_want_different_rows() {
    int part = SOURCES * ROWS / 4;
    onRanks(4, world -> new int[] {part * world.rank(), part * (world.rank() + 1)});
    assertEquals(CHUNKS, CountedFilter.DECODED.get());
  }

  @Test
  void each_chunk_is_decoded_once_if_the_rows_of_the_ranks_overlap() {
    onRanks(4, world -> new int[] {5 * world.rank(), SOURCES * ROWS - 7 * world.rank()});
    assertEquals(CHUNKS, CountedFilter.DECODED.get());
  }

  @Test
  void a_source_that_one_rank_cannot_read_fails_on_all_ranks() {
    for (int ranks : new int[] {2, 4}) {
      List<Boolean> unused = LocalRanks.call(ranks, this::failsOnce);
    }
  }

  private boolean failsOnce(Communicator world) {
    try (H5File file = H5File.open(folder.resolve("all.h5"), world)) {
      Dataset dataset = file.dataset("all");
      if (world.rank() == 0) {
        CountedFilter.FAILING.set(1);
      }
      world.barrier();
      CollectiveException failure =
          assertThrows(CollectiveException.class, () -> rows(dataset, 0, SOURCES * ROWS));
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("source") && message.contains(".h5"), message);
      assertEquals(1, failure.failingRanks().size(), message);
      world.barrier();
      assertArrayEquals(expected(0, SOURCES * ROWS), rows(dataset, 0, SOURCES * ROWS));
    }
    return true;
  }
}
