package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests storage statistics against values that follow from the construction of the datasets. */
class StorageStatisticsTest {
  private static final Shape SHAPE = Shape.of(20, 30);

  @TempDir Path folder;

  private H5File file;

  @BeforeEach
  void create() {
    file = H5File.create(folder.resolve("s.h5"));
  }

  private static DatasetSpec spec() {
    return DatasetSpec.of(Datatype.I32, SHAPE);
  }

  @Test
  void the_estimated_dense_size_of_few_chunks_is_that_of_a_dense_dataset() {
    for (FilterSpec[] filters :
        List.of(new FilterSpec[0], new FilterSpec[] {Filters.shuffle(), Filters.deflate(4)})) {
      Random random = new Random(4);
      int bound = filters.length == 0 ? 1000 : Integer.MAX_VALUE;
      String name = "/sparse" + filters.length;
      Dataset sparse = file.createDataset(name, spec().sparse(8, 8).filters(filters));
      Dataset dense =
          file.createDataset("/dense" + filters.length, spec().chunked(8, 8).filters(filters));
      for (int i = 0; i < 10; i++) {
        Selection box = Selection.at(random.nextInt(15), random.nextInt(12)).extent(5, 4);
        int[] values = random.ints(20, 0, bound).toArray();
        sparse.write(box, values);
        dense.write(box, values);
      }
      StorageStatistics found = sparse.statistics();
      assertEquals(dense.chunks().count(), found.chunks());
      assertEquals(found.chunks(), found.dense().orElseThrow().sampledChunks());
      assertEquals(dense.statistics().dataBytes(), found.dense().orElseThrow().bytes());
      assertEquals(found.chunks() * 256, found.dense().orElseThrow().plainBytes());
      assertEquals(sparse.usage().dataBytes(), found.dataBytes());
      assertEquals(sparse.defined(Selection.all()).count(SHAPE), found.defined());
      assertEquals(found.defined() * 4, found.sections().get(1).unfilteredBytes());
      assertEquals(12, found.reachableChunks());
    }
  }

  @Test
  void chunks_are_counted_by_the_form_of_their_locations() {
    Dataset sparse = file.createDataset("/d", spec().sparse(10, 10));
    sparse.write(Selection.at(0, 0).extent(10, 10), new int[100]);
    sparse.write(Selection.at(0, 10).stride(3, 3).count(3, 3), new int[9]);
    sparse.write(Selection.points(new long[][] {{1, 21}, {3, 22}, {4, 27}}), new int[3]);
    StorageStatistics found = sparse.statistics();
    assertEquals(3, found.chunks());
    assertEquals(112, found.defined());
    assertEquals(300, found.allocatedElements());
    assertEquals(600, found.elements());
    assertEquals(1L, found.forms().get(Selection.Form.ALL));
    assertEquals(1L, found.forms().get(Selection.Form.REGULAR));
    assertEquals(3, found.forms().values().stream().mapToLong(Long::longValue).sum());
    assertFalse(found.wouldBeSmallerDense());
  }

  @Test
  void half_filled_chunks_of_single_elements_would_be_smaller_dense() {
    Random random = new Random(8);
    long[] points =
        IntStream.range(0, 600).filter(_ -> random.nextBoolean()).mapToLong(i -> i).toArray();
    long[][] coordinates = new long[points.length][];
    for (int i = 0; i < points.length; i++) {
      coordinates[i] = new long[] {points[i] / 30, points[i] % 30};
    }
    Dataset sparse = file.createDataset("/d", spec().sparse(20, 30));
    sparse.write(Selection.points(coordinates), new int[points.length]);
    assertTrue(sparse.statistics().wouldBeSmallerDense());
  }

  @Test
  void adjacent_chunks_have_no_breaks_and_others_have() {
    Dataset even = file.createDataset("/even", spec().chunked(5, 30));
    even.write(Selection.all(), new int[600]);
    assertEquals(new StorageStatistics.Fragmentation(0, 0, 0), even.statistics().fragmentation());
    Dataset odd = file.createDataset("/odd", spec().chunked(5, 30).filters(Filters.deflate(1)));
    Dataset other = file.createDataset("/other", spec().chunked(5, 30).filters(Filters.deflate(1)));
    for (int row = 15; row >= 0; row -= 5) {
      odd.write(Selection.at(row, 0).extent(5, 30), new int[150]);
      other.write(Selection.at(row, 0).extent(5, 30), new Random(row).ints(150).toArray());
      file.flush();
    }
    StorageStatistics.Fragmentation found = odd.statistics().fragmentation();
    assertEquals(3, found.breaks());
    assertTrue(found.holes() > 0 && found.holeBytes() > 0, found.toString());
  }

  @Test
  void a_dataset_without_chunks_reports_only_its_bytes() {
    Dataset flat = file.createDataset("/flat", spec().contiguous());
    assertEquals(0, flat.statistics().dataBytes());
    flat.write(Selection.all(), new int[600]);
    assertEquals(2400, flat.statistics().dataBytes());
    Dataset compact =
        file.createDataset("/compact", DatasetSpec.of(Datatype.I32, Shape.of(6)).compact());
    compact.write(Selection.all(), new int[6]);
    StorageStatistics found = compact.statistics();
    assertEquals(24, found.dataBytes());
    assertEquals(6, found.defined());
    assertEquals(0, found.chunks());
    assertEquals(Map.of(), found.forms());
    assertEquals(
        0,
        file.createDataset("/null", DatasetSpec.withoutElements(Datatype.I32))
            .statistics()
            .elements());
  }

  @Test
  void unfiltered_edge_chunks_are_counted_as_stored() {
    DatasetSpec spec =
        DatasetSpec.of(Datatype.I32, Shape.of(10))
            .sparse(4)
            .filters(Filters.deflate(6))
            .edges(DatasetSpec.Edges.UNFILTERED);
    Dataset dataset = file.createDataset("/edges", spec);
    dataset.write(Selection.at(1).extent(9), new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
    StorageStatistics statistics = dataset.statistics();
    assertEquals(9, statistics.defined());
    assertEquals(3, statistics.chunks());
  }

  @Test
  void a_chunk_too_large_for_an_estimate_is_left_out() {
    long size = 4_000_000_000L;
    DatasetSpec spec = DatasetSpec.of(Datatype.U8, Shape.of(size)).sparse(size);
    Dataset dataset = file.createDataset("/large", spec);
    dataset.write(Selection.at(size - 1), new byte[] {1});
    StorageStatistics statistics = dataset.statistics();
    assertEquals(1, statistics.defined());
    assertEquals(Optional.empty(), statistics.dense());
  }
}
