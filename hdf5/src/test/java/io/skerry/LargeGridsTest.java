package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests operations on a whole sparse dataset whose grid has 10^8 chunks, few of which are stored.
 * Their cost must depend on the stored chunks only; it is measured by the memory that a thread
 * allocates, which is reproducible.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class LargeGridsTest {
  private static final long ROWS = 40_000;

  /**
   * The number of bytes that an operation may allocate; visiting every chunk of the grid would need
   * more.
   */
  private static final long MOST_BYTES = 64L << 20;

  @TempDir Path folder;

  /** The chunk index, which depends on the shape. */
  enum Index {
    FIXED_ARRAY,
    EXTENSIBLE_ARRAY,
    TREE;

    DatasetSpec spec() {
      Shape shape = Shape.of(ROWS, ROWS);
      return DatasetSpec.of(
              Datatype.I32,
              switch (this) {
                case FIXED_ARRAY -> shape;
                case EXTENSIBLE_ARRAY -> shape.unlimited(0);
                case TREE -> shape.unlimited(0).unlimited(1);
              })
          .sparse(4, 4);
    }
  }

  private static Selection spot(long row, long column) {
    return Selection.at(row, column).extent(2, 3);
  }

  private static final Selection THREE =
      Selection.unionAll(List.of(spot(0, 0), spot(20_000, 13), spot(39_998, 39_997)));

  private static void checkAllocation(Runnable work) {
    long before = allocated();
    work.run();
    long bytes = allocated() - before;
    assertTrue(bytes < MOST_BYTES, () -> "allocated bytes: " + bytes);
  }

  /**
   * Returns the number of bytes that this thread has allocated. Uses reflection, because no module
   * requires the module of this counter.
   */
  private static long allocated() {
    try {
      Method threads =
          Class.forName("java.lang.management.ManagementFactory").getMethod("getThreadMXBean");
      return (long)
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes")
              .invoke(threads.invoke(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no counter of allocated bytes in this JVM", e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_cost_of_finding_and_erasing_depends_on_stored_chunks_only(Index index) {
    LocalRanks.run(1, ranks -> findAndErase(ranks, index));
  }

  @ParameterizedTest
  @EnumSource
  void the_cost_of_finding_and_erasing_depends_on_stored_chunks_only_on_three_ranks(Index index) {
    LocalRanks.run(3, ranks -> findAndErase(ranks, index));
  }

  private void findAndErase(Communicator ranks, Index index) {
    Path path = folder.resolve("large.h5");
    try (H5File file = H5File.create(path, ranks)) {
      Dataset data = file.createDataset("/d", index.spec());
      checkAllocation(() -> assertEquals(Selection.none(), data.defined(Selection.all())));
      file.flush();
      checkAllocation(() -> assertEquals(Selection.none(), data.defined(Selection.all())));
      checkAllocation(() -> data.erase(Selection.all()));
      Selection mine = ranks.rank() == 0 ? THREE : Selection.none();
      data.write(mine, new int[(int) mine.count(data.shape())]);
      // A single rank finds the chunks in its cache; several ranks flush them first.
      checkAllocation(() -> assertEquals(THREE, data.defined(Selection.all())));
    }
    try (H5File file = H5File.openForWriting(path, ranks)) {
      Dataset data = file.dataset("/d");
      checkAllocation(() -> {
        Selection defined = data.defined(Selection.all());
        assertEquals(THREE, defined);
        assertArrayEquals(new int[18], data.readInts(defined));
        assertEquals(THREE, data.independent().defined(Selection.all()));
      });
      // One rank erases many elements, the others few or none.
      Selection half = Selection.at(0, 0).extent(20_000, ROWS);
      Selection wanted = ranks.rank() == 0 ? half : spot(39_998, 39_997);
      checkAllocation(() -> data.erase(wanted));
      checkAllocation(() ->
          assertEquals(
              ranks.size() > 1 ? spot(20_000, 13) : THREE.subtract(spot(0, 0)),
              data.defined(Selection.all())));
      checkAllocation(() -> data.erase(Selection.all()));
      checkAllocation(() -> assertEquals(Selection.none(), data.defined(Selection.all())));
      checkAllocation(() -> assertEquals(0, data.statistics().defined()));
      checkAllocation(() -> assertEquals(0, data.chunks().count()));
    }
    try (H5File file = H5File.open(path, ranks)) {
      checkAllocation(
          () -> assertEquals(Selection.none(), file.dataset("/d").defined(Selection.all())));
    }
  }

  @Test
  void every_element_of_a_large_dense_grid_is_defined() {
    for (int ranks : new int[] {1, 3}) {
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(folder.resolve("dense.h5"), world)) {
              Dataset data =
                  file.createDataset(
                      "/d", DatasetSpec.of(Datatype.I32, Shape.of(ROWS, ROWS)).chunked(4, 4));
              checkAllocation(() ->
                  assertEquals(
                      Selection.at(0, 0).extent(ROWS, ROWS), data.defined(Selection.all())));
            }
          });
    }
  }
}
