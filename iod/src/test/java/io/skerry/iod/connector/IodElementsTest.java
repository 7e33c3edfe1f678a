package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.ChunkInfo;
import io.skerry.ChunkTable;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.StorageStatistics;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.iod.connector.value.ObjectAddress;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.TestContainers;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests elements of datasets in containers: extents, fill values and chunks. */
class IodElementsTest {
  @TempDir Path folder;
  private ContainerFixture container;

  /** Returns the number of ranks that run each test together. */
  int ranks() {
    return 1;
  }

  @BeforeEach
  void setUp() {
    container = new ContainerFixture(folder.resolve("run"), ranks());
  }

  private static Throwable cause(Runnable call) {
    return assertThrows(CollectiveException.class, call::run).getCause();
  }

  @Test
  void a_scalar_has_one_element_and_a_null_dataspace_none() {
    container.create(
        file -> {
          Dataset scalar =
              file.createDataset("/scalar", DatasetSpec.of(Datatype.F64, Shape.scalar()));
          scalar.write(Selection.all(), new double[] {2.5});
          scalar.write(Selection.none(), new double[0]);
          Dataset empty = file.createDataset("/null", DatasetSpec.withoutElements(Datatype.I32));
          assertInstanceOf(
              IllegalArgumentException.class,
              cause(() -> empty.write(Selection.all(), new int[] {1})));
          file.createDataset("/none", DatasetSpec.of(Datatype.I32, Shape.of(0, 4)));
        },
        file -> {
          assertArrayEquals(
              new double[] {2.5}, file.dataset("/scalar").readDoubles(Selection.all()));
          assertTrue(file.dataset("/null").isNull(), "null");
          assertEquals(0, file.dataset("/null").usage().dataBytes());
          assertEquals(0, file.dataset("/none").readInts(Selection.all()).length);
        });
  }

  @Test
  void a_dataset_grows_and_shrinks_with_its_fill_value() {
    DatasetSpec spec =
        DatasetSpec.of(Datatype.I32, Shape.of(new long[] {3, 3}, new long[] {-1, -1}))
            .chunked(2, 2)
            .fillValue((byte) 7, (byte) 0, (byte) 0, (byte) 0);
    for (DatasetSpec each :
        List.of(
            spec,
            spec.filters(Filters.deflate(4)),
            spec.filters(Filters.deflate(4)).edges(DatasetSpec.Edges.UNFILTERED))) {
      container.create(
          file -> {
            Dataset dataset = file.createDataset("/d", each);
            dataset.write(Selection.all(), new int[] {0, 1, 2, 10, 11, 12, 20, 21, 22});
            dataset.extendTo(2, 5);
            file.flush();
            dataset.extendTo(3, 3);
            Dataset again = file.dataset("/d");
            assertEquals(dataset.shape(), again.shape());
            assertInstanceOf(
                IllegalArgumentException.class, cause(() -> dataset.extendTo(1, 2, 3)));
          },
          file ->
              assertArrayEquals(
                  new int[] {0, 1, 2, 10, 11, 12, 7, 7, 7},
                  file.dataset("/d").readInts(Selection.all())));
      container.change(
          file -> file.dataset("/d").extendTo(0, 0),
          file -> assertEquals(0, file.dataset("/d").usage().chunks()));
    }
  }

  @Test
  void only_partial_tiles_are_stored_without_filters() {
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset(
                  "/e",
                  DatasetSpec.of(Datatype.I32, Shape.of(3).unlimited(0))
                      .chunked(2)
                      .filters(Filters.deflate(4))
                      .edges(DatasetSpec.Edges.UNFILTERED));
          dataset.write(Selection.all(), new int[] {1, 2, 3});
          assertNotEquals(8, dataset.chunks().get(0).size(), "a whole tile is filtered");
          assertEquals(8, dataset.chunks().get(1).size(), "a partial tile is not");
          dataset.extendTo(4);
          assertNotEquals(8, dataset.chunks().get(1).size(), "the tile is whole now");
        },
        file ->
            assertArrayEquals(
                new int[] {1, 2, 3, 0}, file.dataset("/e").readInts(Selection.all())));
  }

  @Test
  void an_early_dataset_that_shrank_opens_again() {
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset(
                  "/d",
                  DatasetSpec.of(Datatype.I32, Shape.of(25, 1))
                      .chunked(10, 1)
                      .allocation(DatasetSpec.Allocation.EARLY));
          dataset.write(Selection.at(9, 0).extent(1, 1), new int[] {5});
          dataset.extendTo(10, 1);
        },
        file -> assertEquals(5, file.dataset("/d").readInts(Selection.at(9, 0).extent(1, 1))[0]));
  }

  @Test
  void members_of_compounds_are_written_apart() {
    Compound pair =
        new Compound(
            8,
            List.of(
                new Compound.Member("x", 0, Datatype.I32),
                new Compound.Member("y", 4, Datatype.I32)));
    Compound half = new Compound(4, List.of(new Compound.Member("y", 0, Datatype.I32)));
    container.create(
        file -> {
          Dataset dataset = file.createDataset("/p", DatasetSpec.of(pair, Shape.of(2)).chunked(2));
          int[] both = {1, 2, 3, 4};
          dataset.write(Selection.all(), pair, MemorySegment.ofArray(both));
          dataset.write(Selection.all(), half, MemorySegment.ofArray(new int[] {8, 9}));
        },
        file -> {
          int[] read = new int[4];
          file.dataset("/p").read(Selection.all(), pair, MemorySegment.ofArray(read));
          assertEquals("[1, 8, 3, 9]", Arrays.toString(read));
        });
  }

  @Test
  void chunks_are_listed_and_replaced() {
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset("/c", DatasetSpec.of(Datatype.I8, Shape.of(5, 4)).chunked(2, 4));
          dataset.write(Selection.at(0, 0).extent(3, 4), new byte[12]);
          byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
          dataset.writeChunk(
              new ChunkImage(MemorySegment.ofArray(bytes), SectionTable.plain(8)), 2, 0);
          assertThrows(
              CollectiveException.class,
              () ->
                  dataset.writeChunk(
                      new ChunkImage(MemorySegment.ofArray(bytes), SectionTable.plain(8)), 1, 0));
          assertThrows(
              CollectiveException.class,
              () ->
                  dataset.writeChunk(
                      new ChunkImage(MemorySegment.ofArray(new byte[7]), SectionTable.plain(7)),
                      0,
                      0),
              "a damaged image");
        },
        file -> {
          Dataset dataset = file.dataset("/c");
          ChunkTable table = dataset.chunks();
          assertEquals(2, table.count());
          assertEquals(16, table.storedBytes());
          assertEquals(List.of(2L, 0L), table.get(1).offset());
          assertEquals(Optional.empty(), table.at(4, 0).map(ChunkInfo::size));
          assertThrows(IndexOutOfBoundsException.class, () -> table.get(2));
          assertEquals(8, dataset.readInts(Selection.at(3, 3).extent(1, 1))[0]);
          StorageStatistics statistics = dataset.statistics();
          assertEquals(3, statistics.reachableChunks());
          assertEquals(16, statistics.allocatedElements());
        });
  }

  @Test
  void statistics_of_sparse_chunks_count_defined_elements() {
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset("/s", DatasetSpec.of(Datatype.F32, Shape.of(100)).sparse(10));
          dataset.write(Selection.points(new long[][] {{7}, {3}, {55}}), new float[] {1, 2, 3});
          dataset.erase(Selection.at(50).extent(10));
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() ->
                  file.createDataset("/dense", DatasetSpec.of(Datatype.F32, Shape.of(2)).chunked(2))
                      .erase(Selection.all())));
        },
        file -> {
          Dataset dataset = file.dataset("/s");
          assertEquals(2, dataset.statistics().defined());
          assertEquals(1, dataset.usage().chunks());
          assertEquals(
              "[7, 3]",
              Arrays.toString(
                  dataset
                      .defined(Selection.points(new long[][] {{7}, {55}, {3}}))
                      .toCoordinates(dataset.shape())));
        });
  }

  @Test
  void the_defined_elements_of_a_wide_extent_are_found_by_the_stored_tiles() {
    long side = 1L << 30;
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset(
                  "/w", DatasetSpec.of(Datatype.I8, Shape.of(side, side)).sparse(16, 16));
          dataset.write(Selection.points(new long[][] {{7, side - 1}, {3, 5}}), new byte[] {1, 2});
        },
        file -> {
          Dataset dataset = file.dataset("/w");
          Selection defined = dataset.defined(Selection.all());
          assertEquals(2, defined.count(dataset.shape()));
          assertEquals(
              "[3, 5, 7, " + (side - 1) + "]",
              Arrays.toString(defined.toCoordinates(dataset.shape())));
        });
  }

  @Test
  void a_read_of_many_tiles_returns_changes_that_are_not_flushed() {
    Shape shape = Shape.of(48, 8192);
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset("/d", DatasetSpec.of(Datatype.I32, shape).chunked(1, 8192));
          int[] values = new int[48 * 8192];
          for (int round = 1; round <= 20; round++) {
            Arrays.fill(values, round);
            dataset.write(Selection.all(), values);
            assertArrayEquals(values, dataset.readInts(Selection.all()));
          }
        },
        file -> {
          int[] last = file.dataset("/d").readInts(Selection.all());
          assertEquals(48 * 8192, last.length);
          assertTrue(Arrays.stream(last).allMatch(value -> value == 20));
        });
  }

  @Test
  void threads_share_a_file() throws Exception {
    try (H5File file = container.open(FileAccess.CREATE)) {
      Dataset dataset =
          file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(8, 16)).chunked(4, 4));
      Thread[] threads = new Thread[8];
      for (int t = 0; t < threads.length; t++) {
        int row = t;
        threads[t] =
            new Thread(() -> {
              for (int i = 0; i < 16; i++) {
                dataset.write(Selection.at(row, i).extent(1, 1), new int[] {100 * row + i});
              }
              file.createGroup("/g" + row);
            });
        threads[t].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      file.flush();
      int[] read = dataset.readInts(Selection.all());
      for (int i = 0; i < read.length; i++) {
        assertEquals(100 * (i / 16) + i % 16, read[i]);
      }
      assertEquals(9, file.root().links().size());
    }
    VerifyingConnector.verify(container.path());
  }

  /** Replaces a stored tile of a dataset by bytes that are not a tile. */
  private void damageTile(ObjectId array, int tile) {
    EngineLocation location = new EngineLocation("iod", container.path().toString());
    try (Container open = Engines.of(location).open(location, Opening.writing())) {
      open.recover();
      Place place =
          TestContainers.values(open)
              .list(Range.all(array.bits(), Part.TILE), PageLimit.DEFAULT)
              .items()
              .get(tile)
              .place();
      TestContainers.commit(
          open, changes -> changes.put(place, MemorySegment.ofArray(new byte[] {1, 2, 3})));
    }
  }

  @Test
  void a_change_that_fails_at_a_damaged_tile_changes_no_other_tile() {
    AtomicReference<ObjectId> array = new AtomicReference<>(ObjectId.ROOT);
    int[] values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    container.create(
        file -> {
          file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(12)).sparse(4))
              .write(Selection.all(), values);
          array.set(ObjectAddress.decode(((Group.Hard) file.root().links().getFirst()).address()));
        },
        file -> {});
    damageTile(array.get(), 1);
    container.change(
        file -> {
          Dataset dataset = file.dataset("/d");
          Selection first = Selection.at(0).extent(4);
          assertThrows(
              CollectiveException.class,
              () -> dataset.write(Selection.at(0).extent(6), new int[6]),
              "a write of the first tile and of a part of the second");
          assertEquals("[1, 2, 3, 4]", Arrays.toString(dataset.readInts(first)));
          assertThrows(CollectiveException.class, () -> dataset.erase(Selection.at(2).extent(4)));
          assertEquals("[1, 2, 3, 4]", Arrays.toString(dataset.readInts(first)));
          // A tile that one rank writes as a whole is not read.
          boolean isFirst = Connectors.position(file).rank() == 0;
          dataset.write(
              isFirst ? Selection.all() : Selection.none(), isFirst ? values : new int[0]);
        },
        file -> assertArrayEquals(values, file.dataset("/d").readInts(Selection.all())));
  }
}
