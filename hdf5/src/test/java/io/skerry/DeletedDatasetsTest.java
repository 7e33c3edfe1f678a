package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests handles of deleted datasets. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DeletedDatasetsTest {
  private static final int ELEMENTS = 256;

  @TempDir Path folder;

  /** The storage of a dataset. */
  enum Layout {
    CONTIGUOUS,
    COMPACT,
    CHUNKED;

    DatasetSpec spec() {
      DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS));
      return switch (this) {
        case CONTIGUOUS -> plain.contiguous();
        case COMPACT -> plain.compact();
        case CHUNKED -> plain.chunked(64);
      };
    }
  }

  private static int[] filled(int value) {
    int[] values = new int[ELEMENTS];
    Arrays.fill(values, value);
    return values;
  }

  private static void assertRefused(Runnable use) {
    RuntimeException e = assertThrows(RuntimeException.class, use::run);
    Throwable reason = e instanceof CollectiveException told ? told.getCause() : e;
    assertTrue(
        reason instanceof IllegalStateException
            && String.valueOf(reason.getMessage()).contains("the dataset was deleted"),
        e::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "CONTIGUOUS, 1",
    "CONTIGUOUS, 2",
    "COMPACT, 1",
    "COMPACT, 2",
    "CHUNKED, 1",
    "CHUNKED, 2"
  })
  void handles_of_a_deleted_dataset_neither_read_nor_change_its_replacement(
      Layout layout, int ranks) {
    Path path = folder.resolve("deleted.h5");
    LocalRanks.run(
        ranks,
        world -> {
          Selection all = world.rank() == 0 ? Selection.all() : Selection.none();
          int[] none = new int[0];
          try (H5File file = H5File.create(path, world)) {
            Dataset first = file.createDataset("/first", layout.spec());
            first.write(all, world.rank() == 0 ? filled(1) : none);
            // The first handle has cached the location of the values, the second one has not.
            first.write(all, world.rank() == 0 ? filled(2) : none);
            Dataset again = file.dataset("/first");
            Dataset own = first.independent();
            file.flush();
            file.unlink("/first");
            file.flush();
            Dataset next = file.createDataset("/other", layout.spec());
            next.write(all, world.rank() == 0 ? filled(7) : none);
            file.flush();
            for (Dataset held : new Dataset[] {first, again}) {
              assertRefused(() -> held.write(all, world.rank() == 0 ? filled(3) : none));
              assertRefused(() -> held.readInts(Selection.all()));
            }
            assertRefused(() -> own.readInts(Selection.all()));
            assertArrayEquals(filled(7), next.readInts(Selection.all()));
          }
        });
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(filled(7), file.dataset("/other").readInts(Selection.all()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void handles_of_a_deleted_virtual_dataset_do_not_read_its_sources(int ranks) {
    Path path = folder.resolve("virtual.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            file.createDataset("/source", Layout.CHUNKED.spec());
            VirtualLayout mapped =
                VirtualLayout.builder()
                    .map(Selection.all(), VirtualSource.inSameFile("/source"))
                    .build();
            Dataset virtual =
                file.createDataset(
                    "/virtual", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).virtual(mapped));
            Dataset own = virtual.independent();
            file.unlink("/virtual");
            assertRefused(() -> virtual.readInts(Selection.all()));
            assertRefused(() -> virtual.readValues(Selection.all()));
            assertRefused(() -> virtual.defined(Selection.all()));
            assertRefused(() -> own.readInts(Selection.all()));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void the_storage_of_a_deleted_dataset_is_not_reported(Layout layout) {
    try (H5File file = H5File.create(folder.resolve("storage.h5"))) {
      Dataset dataset = file.createDataset("/first", layout.spec());
      dataset.write(Selection.all(), filled(1));
      file.flush();
      file.unlink("/first");
      assertRefused(dataset::storage);
      assertRefused(dataset::usage);
      assertRefused(dataset::statistics);
      if (layout == Layout.CHUNKED) {
        assertRefused(dataset::chunks);
      }
    }
  }

  @Test
  void the_chunk_table_of_a_deleted_dataset_does_not_list_its_old_chunks() {
    try (H5File file = H5File.create(folder.resolve("table.h5"))) {
      Dataset dataset = file.createDataset("/d", Layout.CHUNKED.spec());
      dataset.write(Selection.all(), filled(1));
      ChunkTable table = dataset.chunks();
      assertEquals(4, table.count());
      file.unlink("/d");
      assertRefused(() -> table.count());
      assertRefused(() -> table.storedBytes());
      assertRefused(() -> table.forEach(_ -> {}));
      assertRefused(() -> table.forEachOffset(_ -> {}));
      assertRefused(() -> table.at(0));
      assertRefused(() -> table.image(0));
    }
  }
}
