package io.skerry.chunk.space;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts a set by a chunk grid: one walk over its runs in row-major order, each split at the chunk
 * borders of its dimension. Inside one chunk row-major order is that of the whole, so every chunk
 * just collects what comes. Where the dimensions below are complete in both the set and the chunk,
 * a span of a higher dimension is one run.
 */
final class TreeCut {
  private static final int LATELY = 256;

  private final ChunkGrid grid;
  private final GridWindow window;
  private final long[] step;

  /** Elements under one coordinate, if chunks span the extent of all dimensions below; else 0. */
  private final long[] fold;

  private final Map<Long, PackedMap> maps = new HashMap<>();

  /**
   * The chunks that the walk came by last, which a row-major walk comes by again and again: the
   * number plus one and what it collects, by the last bits of the number.
   */
  private final long[] lately = new long[LATELY];

  private final PackedMap[] latelyMaps = new PackedMap[LATELY];

  private TreeCut(ChunkGrid grid, Shape extent, SpanTree tree) {
    this.grid = grid;
    this.window = new GridWindow(grid, tree.bounds());
    int rank = grid.rank();
    step = new long[rank];
    fold = new long[rank];
    long product = 1;
    boolean spanned = true;
    for (int d = rank - 1; d >= 0; d--) {
      step[d] = product;
      fold[d] = spanned ? product : 0;
      spanned &= grid.size(d) == extent.extent(d);
      product *= grid.size(d);
    }
  }

  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, SpanTree tree) {
    TreeCut cut = new TreeCut(grid, extent, tree);
    cut.walk(tree, 0, 0, 0, 0);
    List<ChunkSlice> slices = new ArrayList<>(cut.maps.size());
    cut.maps.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(e -> slices.add(grid.slice(cut.window, e.getKey(), extent, e.getValue())));
    return slices;
  }

  private void walk(SpanTree tree, int d, long key, long index, long place) {
    long size = grid.size(d);
    for (int i = 0; i < tree.spans(); i++) {
      SpanTree down = tree.down(i);
      long at = place + tree.before(i);
      if (down.count() == fold[d]) {
        split(d, tree.lo(i), tree.hi(i), key, index, at);
        continue;
      }
      for (long c = tree.lo(i); c < tree.hi(i); c++) {
        walk(down, d + 1, key + window.key(d, c / size), index + c % size * step[d], at);
        at += down.count();
      }
    }
  }

  private void split(int d, long from, long to, long key, long index, long place) {
    long size = grid.size(d);
    long c = from;
    while (c < to) {
      long scaled = c / size;
      long end = Math.min(to - scaled * size, size) + scaled * size;
      map(key + window.key(d, scaled))
          .add(
              index + (c - scaled * size) * step[d],
              place + (c - from) * fold[d],
              (end - c) * fold[d]);
      c = end;
    }
  }

  private PackedMap map(long key) {
    int slot = (int) key & LATELY - 1;
    if (lately[slot] != key + 1) {
      lately[slot] = key + 1;
      latelyMaps[slot] = maps.computeIfAbsent(key, _ -> new PackedMap(4));
    }
    return latelyMaps[slot];
  }
}
