package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts a pattern along the boundaries of a chunk grid, dimension by dimension. The elements in a
 * chunk are the product of the pattern's parts in all dimensions, and chunks with the same parts
 * share one set of elements. Only chunks that the pattern touches are visited. The positions of the
 * values are computed, not stored in a list: among the selected elements, those in a chunk form a
 * box.
 */
final class HyperslabCut {
  private final ChunkGrid grid;
  private final Shape extent;

  /** The pattern in each dimension; always finite. */
  private final HyperslabDimension[] pattern;

  /** Number of selected coordinates in each dimension. */
  private final long[] selected;

  private final Map<List<ClippedDimension>, RunSet> products = new HashMap<>();
  private final List<ChunkSlice> slices = new ArrayList<>();

  // The state of the current chunk, valid up to the current dimension.
  private final long[] scaled;
  private final long[] place;
  private final long[] size;
  private final ClippedDimension[] lines;

  private HyperslabCut(ChunkGrid grid, Shape extent, HyperslabDimension[] pattern) {
    this.grid = grid;
    this.extent = extent;
    this.pattern = pattern;
    int rank = pattern.length;
    this.selected = new long[rank];
    Arrays.setAll(selected, d -> pattern[d].elementsBelow(pattern[d].end()));
    this.scaled = new long[rank];
    this.place = new long[rank];
    this.size = new long[rank];
    this.lines = new ClippedDimension[rank];
  }

  /** Cuts a pattern that is finite and not empty. */
  static List<ChunkSlice> cut(ChunkGrid grid, Shape extent, Hyperslab slab) {
    HyperslabCut cut = new HyperslabCut(grid, extent, SelectionSets.dimensions(slab));
    cut.along(0);
    return cut.slices;
  }

  private void along(int d) {
    if (d == pattern.length) {
      add();
      return;
    }
    HyperslabDimension blocks = pattern[d];
    long chunk = grid.size(d);
    long at = blocks.start();
    while (at < blocks.end()) {
      scaled[d] = at / chunk;
      long origin = scaled[d] * chunk;
      lines[d] = ClippedDimension.of(blocks, origin, chunk);
      place[d] = blocks.elementsBelow(origin);
      size[d] = lines[d].elements();
      along(d + 1);
      at = place[d] + size[d] < selected[d] ? blocks.firstFrom(origin + chunk) : blocks.end();
    }
  }

  private void add() {
    RunSet elements =
        products.computeIfAbsent(List.of(lines), _ -> ClippedDimension.product(lines));
    ValueMap map = new BoxMap(BoxRuns.of(place, size, selected));
    slices.add(grid.slice(scaled.clone(), extent, elements, map));
  }
}
