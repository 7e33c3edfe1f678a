package io.skerry.chunk.dataspace.grid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSamples;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChunkGridTest {
  private static ChunkGrid grid(SelectionSamples samples, Shape extent) {
    long[] sizes = new long[extent.rank()];
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] =
          samples.below(3) == 0 ? extent.extent(d) : 1 + samples.below((int) extent.extent(d) + 2);
    }
    return ChunkGrid.of(sizes);
  }

  /** Maps the padded coordinates of each chunk to its elements and their selection positions. */
  private static SortedMap<String, SortedMap<Long, List<Integer>>> model(
      ChunkGrid grid, Selection selection, Shape extent) {
    SortedMap<String, SortedMap<Long, List<Integer>>> model = new TreeMap<>();
    long[] indices = SelectionSamples.model(selection, extent);
    for (int place = 0; place < indices.length; place++) {
      long[] at = SelectionSamples.coordinates(extent, indices[place]);
      long[] scaled = new long[at.length];
      long[] inside = new long[at.length];
      for (int d = 0; d < at.length; d++) {
        scaled[d] = at[d] / grid.size(d);
        inside[d] = at[d] % grid.size(d);
      }
      model
          .computeIfAbsent(name(scaled), _ -> new TreeMap<>())
          .computeIfAbsent(
              SelectionSamples.index(Shape.of(grid.sizes()), inside, 0), _ -> new ArrayList<>())
          .add(place);
    }
    return model;
  }

  private static String name(long[] scaled) {
    StringBuilder text = new StringBuilder();
    for (long s : scaled) {
      text.append(String.format("%03d ", s));
    }
    return text.toString();
  }

  @Test
  void slices_hold_the_elements_and_places_of_every_chunk_in_order() {
    SelectionSamples samples = new SelectionSamples(11);
    for (int round = 0; round < 4000; round++) {
      Shape extent = samples.extent();
      ChunkGrid grid = grid(samples, extent);
      Selection selection = samples.any(extent);
      var model = model(grid, selection, extent);
      List<ChunkSlice> slices = grid.cut(selection, extent);
      assertEquals(
          List.copyOf(model.keySet()), slices.stream().map(s -> name(s.scaled())).toList());
      int places = (int) selection.count(extent);
      MemorySegment packed = MemorySegment.ofArray(new byte[places * 3]);
      for (int i = 0; i < places; i++) {
        put(packed, i, i + 1);
      }
      MemorySegment back = MemorySegment.ofArray(new byte[places * 3]);
      for (ChunkSlice slice : slices) {
        var elements = model.get(name(slice.scaled()));
        assertSlice(elements, slice, packed, back);
        long valid = Arrays.stream(grid.valid(slice.scaled(), extent)).reduce(1, (a, b) -> a * b);
        assertEquals(elements.size() == valid, slice.coversWholeChunk());
      }
      var last = new int[places];
      model.values().stream()
          .flatMap(chunk -> chunk.values().stream())
          .forEach(list -> list.forEach(p -> last[p] = list.getLast() + 1));
      for (int i = 0; i < places; i++) {
        assertEquals(last[i], get(back, i));
      }
    }
  }

  private static void assertSlice(
      SortedMap<Long, List<Integer>> expected,
      ChunkSlice slice,
      MemorySegment packed,
      MemorySegment back) {
    long[] indices = expected.keySet().stream().mapToLong(i -> i).toArray();
    assertEquals(RunSet.ofIndices(indices), slice.elements());
    assertEquals(expected.values().stream().mapToInt(List::size).sum(), slice.places());
    MemorySegment gathered = MemorySegment.ofArray(new byte[indices.length * 3]);
    slice.gather(packed, 3, gathered);
    int i = 0;
    for (List<Integer> places : expected.values()) {
      assertEquals(places.getLast() + 1, get(gathered, i++), "the last of repeated points counts");
    }
    slice.scatter(gathered, 3, back);
  }

  private static void put(MemorySegment values, int at, int value) {
    for (int b = 0; b < 3; b++) {
      values.set(java.lang.foreign.ValueLayout.JAVA_BYTE, at * 3L + b, (byte) (value >> 8 * b));
    }
  }

  private static int get(MemorySegment values, int at) {
    int value = 0;
    for (int b = 0; b < 3; b++) {
      value |= (values.get(java.lang.foreign.ValueLayout.JAVA_BYTE, at * 3L + b) & 0xff) << 8 * b;
    }
    return value;
  }

  /** Returns a block that starts in a random chunk and sometimes extends beyond it. */
  private static Hyperslab block(SelectionSamples samples, ChunkGrid grid, Shape extent) {
    long[] start = new long[grid.rank()];
    long[] size = new long[grid.rank()];
    for (int d = 0; d < grid.rank(); d++) {
      int chunks = (int) Math.ceilDiv(extent.extent(d), grid.size(d));
      long origin = samples.below(chunks) * grid.size(d);
      int inside = (int) Math.min(grid.size(d), extent.extent(d) - origin);
      start[d] = origin + (samples.below(2) == 0 ? 0 : samples.below(inside));
      long left = extent.extent(d) - start[d];
      boolean longer = samples.below(3) == 0;
      int most = (int) (longer ? left : Math.min(left, origin + inside - start[d]));
      size[d] = samples.below(2) == 0 ? most : 1 + samples.below(most);
    }
    return Selection.box(start, size);
  }

  @Test
  void a_block_in_few_chunks_is_cut_like_other_patterns() {
    SelectionSamples samples = new SelectionSamples(13);
    int few = 0;
    for (int round = 0; round < 5000; round++) {
      Shape extent = samples.extent();
      ChunkGrid grid = grid(samples, extent);
      Hyperslab block = block(samples, grid, extent);
      List<ChunkSlice> expected = HyperslabCut.cut(grid, extent, block);
      assertSameSlices(expected, grid.cut(block, extent));
      List<ChunkSlice> cut = BlockCut.cut(grid, extent, block);
      assertEquals(expected.size() > 8, cut.isEmpty());
      few += cut.size() > 1 ? 1 : 0;
    }
    assertTrue(few > 500, "blocks in several chunks: " + few);
  }

  @Test
  void a_block_in_few_chunks_is_rows_if_they_are_equidistant() {
    SelectionSamples samples = new SelectionSamples(17);
    int rowsOfOne = 0;
    int rowsOfSeveral = 0;
    for (int round = 0; round < 5000; round++) {
      Shape extent = samples.extent();
      ChunkGrid grid = grid(samples, extent);
      Hyperslab block = block(samples, grid, extent);
      List<ChunkSlice> slices = HyperslabCut.cut(grid, extent, block);
      List<ChunkRows> found = grid.rows(block);
      boolean expected =
          isInFewChunks(grid, block) && slices.stream().allMatch(ChunkGridTest::hasRows);
      assertEquals(expected, !found.isEmpty(), () -> block + " of " + grid);
      if (expected) {
        assertEquals(slices.size(), found.size());
        for (int i = 0; i < found.size(); i++) {
          assertSameRows(slices.get(i), found.get(i));
        }
        boolean several = found.getLast().rows() > 1;
        rowsOfOne += several && found.size() == 1 ? 1 : 0;
        rowsOfSeveral += several && found.size() > 1 ? 1 : 0;
      }
    }
    assertTrue(rowsOfOne > 300, "blocks of several rows: " + rowsOfOne);
    assertTrue(rowsOfSeveral > 150, "blocks of several rows in several chunks: " + rowsOfSeveral);
  }

  private static boolean isInFewChunks(ChunkGrid grid, Hyperslab block) {
    int chunks = 1;
    for (int d = 0; d < grid.rank(); d++) {
      long first = block.startAt(d) / grid.size(d);
      long last = (block.startAt(d) + block.blockAt(d) - 1) / grid.size(d);
      if (last - first > 1) {
        return false;
      }
      chunks *= (int) (last - first) + 1;
    }
    return chunks <= 8;
  }

  private static void assertSameRows(ChunkSlice slice, ChunkRows rows) {
    assertArrayEquals(slice.scaled(), rows.scaled());
    assertEquals(slice.elements(), rows.elements());
    assertEquals(slice.elements().count(), rows.count());
    assertEquals(slice.elements().bound(), rows.bound());
    assertEquals(slice.pieces() == 1, rows.isContiguousInBlock());
    List<Long> places = places(slice);
    for (int i = 0; i < places.size(); i++) {
      assertEquals(places.get(i), rows.place(i / rows.length()) + i % rows.length());
    }
    assertEquals(places.getLast() + 1, rows.placeBound());
  }

  /** Returns the position of each element in the selection. */
  private static List<Long> places(ChunkSlice slice) {
    List<Long> places = new ArrayList<>();
    slice.forEachPiece(
        (place, length) -> LongStream.range(place, place + length).forEach(places::add));
    return places;
  }

  /**
   * Returns whether the starts of contiguous pieces are equidistant, both in the chunk and in the
   * selection.
   */
  private static boolean hasRows(ChunkSlice slice) {
    List<long[]> starts = new ArrayList<>();
    List<Long> places = places(slice);
    List<Long> elements = new ArrayList<>();
    RunSet set = slice.elements();
    for (int run = 0; run < set.runs(); run++) {
      LongStream.range(set.start(run), set.end(run)).forEach(elements::add);
    }
    for (int i = 0; i < places.size(); i++) {
      boolean goesOn =
          i > 0
              && places.get(i) == places.get(i - 1) + 1
              && elements.get(i) == elements.get(i - 1) + 1;
      if (!goesOn) {
        starts.add(new long[] {elements.get(i), places.get(i)});
      }
    }
    for (int row = 2; row < starts.size(); row++) {
      for (int i = 0; i < 2; i++) {
        long distance = starts.get(1)[i] - starts.get(0)[i];
        if (starts.get(row)[i] - starts.get(row - 1)[i] != distance) {
          return false;
        }
      }
    }
    return true;
  }

  @Test
  void a_block_that_crosses_chunks_in_most_dimensions_is_not_rows() {
    for (int rank : new int[] {4, 31, 32}) {
      long[] one = new long[rank];
      long[] two = new long[rank];
      Arrays.fill(one, 1);
      Arrays.fill(two, 2);
      assertTrue(ChunkGrid.of(one).rows(Selection.at(one).extent(two)).isEmpty());
    }
  }

  @Test
  void a_selection_that_is_not_a_block_is_not_rows() {
    ChunkGrid grid = ChunkGrid.of(8, 8);
    assertTrue(grid.rows(Selection.all()).isEmpty());
    assertTrue(grid.rows(Selection.none()).isEmpty());
    assertTrue(grid.rows(Selection.at(0, 0).extent(0, 1)).isEmpty());
    assertTrue(grid.rows(Selection.at(0, 0).count(2, 1).stride(2, 1)).isEmpty());
    assertTrue(grid.rows(Selection.points(new long[][] {{1, 1}})).isEmpty());
    Hyperslab line = Selection.at(1);
    assertThrows(IllegalArgumentException.class, () -> grid.rows(line));
  }

  private static void assertSameSlices(List<ChunkSlice> expected, List<ChunkSlice> slices) {
    assertEquals(expected.size(), slices.size());
    for (int i = 0; i < slices.size(); i++) {
      ChunkSlice slice = slices.get(i);
      assertArrayEquals(expected.get(i).scaled(), slice.scaled());
      assertEquals(expected.get(i).elements(), slice.elements());
      assertEquals(expected.get(i).places(), slice.places());
      assertEquals(expected.get(i).coversWholeChunk(), slice.coversWholeChunk());
      assertEquals(expected.get(i).contiguousPlace(), slice.contiguousPlace());
      assertEquals(pieces(expected.get(i)), pieces(slice));
    }
  }

  private static List<List<Long>> pieces(ChunkSlice slice) {
    List<List<Long>> pieces = new ArrayList<>();
    slice.forEachPiece((rank, place, length) -> pieces.add(List.of(rank, place, length)));
    return pieces;
  }

  @Test
  void the_union_of_all_slices_is_the_selection() {
    SelectionSamples samples = new SelectionSamples(12);
    for (int round = 0; round < 2000; round++) {
      Shape extent = samples.extent();
      ChunkGrid grid = grid(samples, extent);
      Selection selection = samples.any(extent);
      List<Selection> parts =
          grid.cut(selection, extent).stream()
              .map(slice -> grid.toDataset(slice.elements(), slice.scaled()))
              .toList();
      Selection whole = Selection.unionAll(parts);
      boolean[] set = SelectionSamples.set(SelectionSamples.model(selection, extent), extent);
      assertEquals(SelectionSamples.ofModel(set, extent), whole);
    }
  }

  @Test
  void the_extent_includes_partial_chunks_and_their_valid_sizes() {
    ChunkGrid grid = ChunkGrid.of(4, 10);
    Shape extent = Shape.of(9, 20);
    assertArrayEquals(new long[] {3, 2}, grid.scaledExtent(extent));
    assertArrayEquals(new long[] {1, 10}, grid.valid(new long[] {2, 1}, extent));
    assertArrayEquals(new long[] {0, 10}, grid.valid(new long[] {3, 0}, extent));
    assertEquals(RunSet.range(0, 10), grid.inside(new long[] {2, 1}, extent));
    ChunkSlice edge = grid.cut(Selection.at(8, 10).extent(1, 10), extent).getFirst();
    assertTrue(edge.coversWholeChunk());
  }

  @Test
  void a_selection_outside_the_extent_is_not_cut() {
    ChunkGrid grid = ChunkGrid.of(4, 10);
    assertThrows(
        IllegalArgumentException.class,
        () -> grid.cut(Selection.at(8, 0).extent(2, 1), Shape.of(9, 20)));
    assertThrows(IllegalArgumentException.class, () -> ChunkGrid.of(4, 0));
    assertThrows(IllegalArgumentException.class, () -> grid.cut(Selection.all(), Shape.of(9)));
  }

  @Test
  void chunks_that_span_the_rows_are_cut_without_visiting_rows() {
    long rows = 1L << 40;
    ChunkGrid grid = ChunkGrid.of(rows / 4, 1024);
    Shape extent = Shape.of(rows, 1024);
    List<ChunkSlice> slices = grid.cut(Selection.all(), extent);
    assertEquals(4, slices.size());
    assertEquals(RunSet.range(0, rows / 4 * 1024), slices.get(3).elements());
    assertTrue(slices.get(3).coversWholeChunk());
  }

  @Test
  void points_whose_keys_exceed_63_bits_are_sorted_by_chunk_and_element() {
    long far = 1L << 40;
    ChunkGrid grid = ChunkGrid.of(1 << 20, 1 << 12);
    Shape extent = Shape.of(far, far);
    Selection points =
        Selection.points(
            new long[][] {{far >> 1, 5}, {7, far - 1}, {far >> 1, 4}, {7, far - 1}, {0, 0}});
    List<ChunkSlice> slices = grid.cut(points, extent);
    assertEquals(3, slices.size());
    assertArrayEquals(new long[] {0, 0}, slices.get(0).scaled());
    assertArrayEquals(new long[] {0, (far >> 12) - 1}, slices.get(1).scaled());
    assertArrayEquals(new long[] {far >> 21, 0}, slices.get(2).scaled());
    assertEquals(RunSet.range(4, 6), slices.get(2).elements());
    assertEquals(2, slices.get(1).places());
  }

  @Test
  void a_slice_with_contiguous_values_returns_their_position() {
    Shape extent = Shape.of(4, 6);
    assertEquals(
        List.of(OptionalLong.of(0), OptionalLong.of(12)),
        ChunkGrid.of(2, 6).cut(Selection.all(), extent).stream()
            .map(ChunkSlice::contiguousPlace)
            .toList());
    for (ChunkSlice slice : ChunkGrid.of(2, 3).cut(Selection.all(), extent)) {
      assertEquals(OptionalLong.empty(), slice.contiguousPlace());
    }
    Selection twice = Selection.points(new long[][] {{0, 0}, {0, 0}});
    assertEquals(
        OptionalLong.empty(), ChunkGrid.of(2, 3).cut(twice, extent).getFirst().contiguousPlace());
    Selection backwards = Selection.points(new long[][] {{0, 1}, {0, 0}});
    assertEquals(
        OptionalLong.empty(),
        ChunkGrid.of(2, 3).cut(backwards, extent).getFirst().contiguousPlace());
  }
}
