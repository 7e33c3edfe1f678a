package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/**
 * Iterates over a selection in every possible way, and compares the elements with the model.
 *
 * @param random source of batch sizes and chunk shapes
 * @param sizes the extent
 */
record SelectionVisits(Random random, long[] sizes) {
  void pullRuns(ModeledSelection a) {
    RunIterator runs = a.selection().runs(Shape.of(sizes));
    long[] offsets = new long[1 + random.nextInt(5)];
    long[] lengths = new long[1 + random.nextInt(5)];
    for (int before = random.nextInt(3); before > 0; before--) {
      runs.next(offsets, lengths, 1 + random.nextInt(4));
      runs.restart();
    }
    int most = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(6);
    int at = 0;
    long end = -1;
    for (int n = runs.next(offsets, lengths, most); n > 0; n = runs.next(offsets, lengths, most)) {
      int given = at;
      for (int run = 0; run < n; run++) {
        assertTrue(offsets[run] != end || most < Integer.MAX_VALUE, "neighbors are joined");
        for (long i = 0; i < lengths[run]; i++) {
          assertEquals(a.model().order()[at++], offsets[run] + i);
        }
        end = offsets[run] + lengths[run];
      }
      assertTrue(at - given <= most);
      assertEquals(a.model().count() - at, runs.remaining());
    }
    assertEquals(a.model().count(), at);
  }

  void cut(ModeledSelection a) {
    long[] chunk = Arrays.stream(sizes).map(size -> 1 + random.nextLong(size + 1)).toArray();
    ChunkGrid grid = ChunkGrid.of(chunk);
    int[] found = new int[a.model().count()];
    Arrays.fill(found, -1);
    long[] before = {};
    for (ChunkSlice slice : grid.cut(a.selection(), Shape.of(sizes))) {
      long[] scaled = slice.scaled();
      assertTrue(Arrays.compare(before, scaled) < 0, "chunks ascend");
      before = scaled;
      BitSet elements = new BitSet();
      slice.forEachPiece((place, length) -> {
        for (long p = place; p < place + length; p++) {
          assertEquals(-1, found[(int) p], "one chunk for each place");
          found[(int) p] = a.model().order()[(int) p];
          elements.set(inChunk(found[(int) p], scaled, chunk));
        }
      });
      assertEquals(RunSet.ofIndices(elements.stream().asLongStream().toArray()), slice.elements());
      assertGathered(slice, a.model(), chunk);
    }
    assertArrayEquals(a.model().order(), found);
  }

  private int inChunk(int index, long[] scaled, long[] chunk) {
    long[] at = SelectionModel.coordinates(sizes, index);
    for (int d = 0; d < at.length; d++) {
      assertEquals(scaled[d], at[d] / chunk[d]);
      at[d] %= chunk[d];
    }
    return SelectionModel.index(chunk, at);
  }

  /**
   * Checks that the gathered values of a slice, which are the indices of its elements in the
   * extent, are in chunk order.
   */
  private void assertGathered(ChunkSlice slice, SelectionModel model, long[] chunk) {
    int n = (int) slice.elements().count();
    int[] gathered = new int[n];
    slice.gather(MemorySegment.ofArray(model.order()), 4, MemorySegment.ofArray(gathered));
    int at = 0;
    for (int run = 0; run < slice.elements().runs(); run++) {
      for (long e = slice.elements().start(run); e < slice.elements().end(run); e++) {
        assertEquals(e, inChunk(gathered[at++], slice.scaled(), chunk));
      }
    }
  }

  void boxes(ModeledSelection a) {
    BitSet covered = new BitSet();
    int before = -1;
    for (Box box : a.selection().boxes(Shape.of(sizes))) {
      int first = SelectionModel.index(sizes, box.start());
      assertTrue(first > before, "in order of their first elements");
      before = first;
      long[] size = box.size();
      for (int i = 0; i < SelectionModel.elements(size); i++) {
        long[] at = SelectionModel.coordinates(size, i);
        Arrays.setAll(at, d -> at[d] + box.start(d));
        int index = SelectionModel.index(sizes, at);
        assertFalse(covered.get(index), "disjoint");
        covered.set(index);
      }
    }
    assertEquals(a.model().set(), covered);
  }
}
