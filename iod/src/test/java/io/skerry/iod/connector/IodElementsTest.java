package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.ChunkInfo;
import io.skerry.ChunkTable;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.StorageStatistics;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests elements of datasets in containers: extents, fill values, cells and references. */
class IodElementsTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  @TempDir Path folder;
  private ContainerFixture container;

  @BeforeEach
  void setUp() {
    container = new ContainerFixture(folder.resolve("run"));
  }

  private static Throwable cause(Runnable call) {
    return assertThrows(CollectiveException.class, call::run).getCause();
  }

  private static Value number(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  /** Returns the identifiers of all BLOBs that have versions, removed or not. */
  private Set<Long> blobs() {
    Set<Long> blobs = new HashSet<>();
    EngineLocation location = new EngineLocation("iod", container.path().toString());
    try (Container open = Engines.of(location).open(location, Opening.reading())) {
      for (int shard : open.served()) {
        Page<Version> page = open.shard(shard).history(Optional.empty(), PageLimit.DEFAULT);
        assertTrue(page.isLast(), "few versions");
        page.items().stream()
            .filter(version -> version.place() instanceof Place.Block && !version.isRemoved())
            .forEach(version -> blobs.add(version.place().object()));
      }
    }
    return blobs;
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

  private static List<DatasetSpec> textSpecs() {
    DatasetSpec spec = DatasetSpec.of(TEXT, Shape.of(5));
    return List.of(
        spec.contiguous(),
        spec.compact(),
        spec.chunked(2),
        spec.chunked(2).filters(Filters.shuffle(), Filters.deflate(4)),
        spec.sparse(2),
        spec.sparse(2).filters(Filters.deflate(4)),
        spec.structured(2));
  }

  @Test
  void texts_are_written_rewritten_and_read() {
    for (DatasetSpec spec : textSpecs()) {
      container.create(
          file -> {
            Dataset texts = file.createDataset("/texts", spec);
            texts.write(Selection.at(0).extent(4), new String[] {"a", "", "ccc", "long ".repeat(9)});
            texts.write(Selection.at(2).extent(2), new String[] {"c", ""});
            // Of repeated points, the last value is stored.
            texts.write(Selection.points(new long[][] {{0}, {0}}), new String[] {"x", "y"});
          },
          file ->
              assertEquals(
                  List.of("y", "", "c", "", ""),
                  file.dataset("/texts").readStrings(Selection.all()),
                  spec.toString()));
    }
  }

  @Test
  void a_rewritten_cell_keeps_its_blob() {
    container.create(
        file ->
            file.createDataset("/t", DatasetSpec.of(TEXT, Shape.of(2)))
                .write(Selection.all(), new String[] {"one", "two"}),
        file -> {});
    Set<Long> before = blobs();
    assertEquals(2, before.size());
    container.change(
        file -> {
          file.dataset("/t").write(Selection.at(0).extent(1), new String[] {"other"});
          file.dataset("/t").write(Selection.at(1).extent(1), new String[] {""});
        },
        file ->
            assertEquals(
                List.of("other", ""), file.dataset("/t").readStrings(Selection.all())));
    assertTrue(before.containsAll(blobs()), "no new BLOBs");
  }

  @Test
  void compounds_and_arrays_have_cells() {
    Datatype sequence = VariableLength.sequence(Datatype.I16);
    Compound type =
        new Compound(
            44,
            List.of(
                new Compound.Member("n", 0, Datatype.I32),
                new Compound.Member("texts", 4, new ArrayType(List.of(1), TEXT)),
                new Compound.Member("s", 24, sequence)));
    Value first =
        new Value.Compound(
            List.of(
                new Value.Field("n", number(5)),
                new Value.Field(
                    "texts", new Value.Array(List.of(1), List.of(new Value.Text("t")))),
                new Value.Field("s", new Value.Sequence(List.of(number(1), number(2))))));
    Value second =
        new Value.Compound(
            List.of(
                new Value.Field("n", number(6)),
                new Value.Field(
                    "texts", new Value.Array(List.of(1), List.of(new Value.Text("")))),
                new Value.Field("s", new Value.Sequence(List.of()))));
    container.create(
        file -> {
          for (DatasetSpec spec :
              List.of(
                  DatasetSpec.of(type, Shape.of(3).unlimited(0)).chunked(2),
                  DatasetSpec.of(type, Shape.of(3).unlimited(0)).sparse(2))) {
            Dataset dataset = file.createDataset("/" + spec.storage(), spec);
            dataset.writeValues(Selection.all(), List.of(first, first, first));
            dataset.writeValues(Selection.at(1).extent(1), List.of(second));
            dataset.extendTo(2);
            file.root()
                .setAttribute("a" + spec.storage(), type, Shape.of(1), List.of(first));
          }
          byte[] raw = file.dataset("/DENSE").readBytes(Selection.all());
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() -> file.dataset("/DENSE").write(Selection.all(), raw)),
              "descriptors would share BLOBs");
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() ->
                  file.group("/").setAttribute(file.root().attribute("aDENSE").orElseThrow())));
        },
        file -> {
          for (String path : List.of("/DENSE", "/SPARSE")) {
            assertEquals(
                List.of(first, second), file.dataset(path).readValues(Selection.all()), path);
          }
          assertEquals(
              List.of(first),
              file.root().attribute("aSPARSE").orElseThrow().values(file.contents()));
        });
  }

  @Test
  void elements_outside_a_new_extent_lose_their_blobs() {
    container.create(
        file -> {
          Dataset dataset =
              file.createDataset(
                  "/t", DatasetSpec.of(TEXT, Shape.of(5).unlimited(0)).chunked(3));
          dataset.write(Selection.all(), new String[] {"a", "b", "c", "d", "e"});
          dataset.extendTo(2);
          file.flush();
          dataset.extendTo(4);
        },
        file ->
            assertEquals(
                List.of("a", "b", "", ""), file.dataset("/t").readStrings(Selection.all())));
    assertEquals(2, blobs().size());
  }

  @Test
  void references_lead_to_objects_and_regions() {
    Datatype region = new Reference(12, Reference.Kind.REGION);
    Selection many = Selection.points(manyPoints());
    container.create(
        file -> {
          file.createDataset("/g/d", DatasetSpec.of(Datatype.I32, Shape.of(20_000)));
          Value one = file.reference("/g/d", Selection.at(3).extent(4));
          Value two = file.reference("/g/d", many);
          Dataset regions = file.createDataset("/regions", DatasetSpec.of(region, Shape.of(3)));
          regions.writeValues(Selection.all(), List.of(two, one, new Value.NullReference()));
          regions.writeValues(Selection.at(0).extent(1), List.of(one));
          regions.writeValues(Selection.at(1).extent(1), List.of(two));
          file.root().setAttribute("regions", region, Shape.of(1), List.of(one));
          assertInstanceOf(
              UnsupportedFeatureException.class,
              cause(() ->
                  file.createDataset(
                      "/sparse", DatasetSpec.of(region, Shape.of(3)).sparse(2))));
        },
        file -> {
          Value one = file.reference("/g/d", Selection.at(3).extent(4));
          List<Value> read = file.dataset("/regions").readValues(Selection.all());
          assertEquals(one, read.get(0));
          Value.RegionReference large = (Value.RegionReference) read.get(1);
          assertEquals(many.count(Shape.of(20_000)), large.region().count(Shape.of(20_000)));
          assertEquals(new Value.NullReference(), read.get(2));
          assertEquals(
              List.of(one),
              file.root().attribute("regions").orElseThrow().values(file.contents()));
        });
  }

  /** Returns points whose encoding is larger than 64 KiB. */
  private static long[][] manyPoints() {
    long[][] points = new long[18_000][1];
    for (int i = 0; i < points.length; i++) {
      points[i][0] = 19_999 - i;
    }
    return points;
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
                      new ChunkImage(
                          MemorySegment.ofArray(new byte[7]), SectionTable.plain(7)),
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
}
