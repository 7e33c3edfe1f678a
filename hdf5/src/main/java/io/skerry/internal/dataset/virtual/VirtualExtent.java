package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.dataspace.encoding.SelectionBounds;
import io.skerry.exception.FormatException;
import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualBounds;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Computes the extent of a virtual dataset.
 *
 * @param counts the numbers of blocks of the mappings with one source per block
 * @param view the view, which determines the extent if sources are missing or differ in extent
 */
record VirtualExtent(
    VirtualMappings mappings, MappingSources sources, BlockCounts counts, VirtualView view) {
  /**
   * Returns the extent of the virtual dataset; unlimited mappings end where their sources end.
   *
   * @param stored the extent in the file
   */
  Shape of(Shape stored) {
    long[] grown = new long[stored.rank()];
    Arrays.fill(grown, -1);
    int[] unlimited = mappings.unlimited();
    if (unlimited.length == 0) {
      return countable(stored);
    }
    for (int mapping : unlimited) {
      VirtualMapping endless = mappings.entries().get(mapping);
      int d = endless.unlimitedVirtual().orElseThrow();
      long reach = reach(mapping, endless, d);
      grown[d] =
          grown[d] >= 0 && endsAtFirstMissing()
              ? Math.min(grown[d], reach)
              : Math.max(grown[d], reach);
    }
    long[] least = ends(stored.rank());
    long[] extent = stored.extent();
    for (int d = 0; d < extent.length; d++) {
      if (grown[d] >= 0) {
        long limit = stored.maximum(d) == Shape.UNLIMITED ? Long.MAX_VALUE : stored.maximum(d);
        extent[d] = Math.min(limit, Math.max(grown[d], least[d]));
      }
    }
    return countable(Shape.of(extent, stored.maximum()));
  }

  /**
   * Checks that a new extent contains the elements of all mappings; an unlimited mapping is checked
   * only in the dimensions in which it is limited.
   *
   * @throws IllegalArgumentException if the extent does not contain them, or if a mapping selects
   *     all elements
   */
  void checkContains(Shape shape) {
    VirtualBounds cursor = mappings.bounds();
    for (int i = 0; i < mappings.size(); i++) {
      if (cursor.at(i).kind() == SelectionBounds.Kind.ALL) {
        throw new IllegalArgumentException(
            "a mapping selects all elements of the virtual dataset, whose extent cannot change:"
                + " dataset="
                + sources.path());
      }
    }
    long[] ends = ends(shape.rank());
    for (int mapping : mappings.unlimited()) {
      VirtualMapping endless = mappings.entries().get(mapping);
      int along = endless.unlimitedVirtual().orElseThrow();
      UnlimitedPart.ofVirtual(endless, along)
          .first(1)
          .boundingBox(Shape.of(new long[shape.rank()]))
          .ifPresent(box -> {
            for (int d = 0; d < ends.length; d++) {
              ends[d] = d == along ? ends[d] : Math.max(ends[d], box.end(d));
            }
          });
    }
    for (int d = 0; d < ends.length; d++) {
      if (ends[d] > shape.extent(d)) {
        throw new IllegalArgumentException(
            "mappings exceed the new extent: dimension="
                + d
                + " extent="
                + shape.extent(d)
                + " expected at least="
                + ends[d]
                + " dataset="
                + sources.path());
      }
    }
  }

  /** Returns the greatest end of the limited mappings in each dimension. */
  private long[] ends(int rank) {
    long[] ends = new long[rank];
    VirtualBounds cursor = mappings.bounds();
    for (int i = 0; i < mappings.size(); i++) {
      SelectionBounds bounds = cursor.at(i);
      for (int d = 0; bounds.kind() == SelectionBounds.Kind.BOUNDED && d < rank; d++) {
        ends[d] = Math.max(ends[d], bounds.end(d));
      }
    }
    return ends;
  }

  /** Rejects an extent with more than 2^63 - 1 elements. */
  private static Shape countable(Shape grown) {
    try {
      long unused = grown.elements();
      return grown;
    } catch (ArithmeticException e) {
      throw new FormatException("elements of a virtual dataset", "at most 2^63-1", grown);
    }
  }

  private boolean endsAtFirstMissing() {
    return view.end() == VirtualView.End.FIRST_MISSING;
  }

  /**
   * Returns the size of a dimension up to which a mapping has sources; 0 if it has none.
   *
   * @param number the index of the mapping
   */
  private long reach(int number, VirtualMapping mapping, int dimension) {
    UnlimitedPart virtual = UnlimitedPart.ofVirtual(mapping, dimension);
    if (mapping.isPerBlock()) {
      long blocks = counts.of(number);
      return blocks > 0 && endsAtFirstMissing()
          ? virtual.extentBeforeBlock(blocks)
          : virtual.extentOfBlocks(blocks);
    }
    if (endsAtFirstMissing()) {
      return sources.source(mapping, 0).isEmpty()
          ? 0
          : virtual.extentBefore(sources.slices(mapping));
    }
    return virtual.extentOf(sources.slices(mapping));
  }

  /**
   * The number of blocks of each mapping with one source per block: all blocks up to the last block
   * with a source that the view reaches. Sources after that block do not belong to the dataset,
   * even if another mapping extends the dataset further. Searches the sources of a mapping when its
   * number is first requested. Thread-safe.
   */
  static final class BlockCounts {
    private final VirtualMappings mappings;
    private final MappingSources sources;
    private final Map<Integer, Long> known = new ConcurrentHashMap<>();

    BlockCounts(VirtualMappings mappings, MappingSources sources) {
      this.mappings = mappings;
      this.sources = sources;
    }

    /**
     * Returns the number of blocks of a mapping.
     *
     * @param mapping the index of the mapping, which has one source per block
     */
    long of(int mapping) {
      Long count = known.get(mapping);
      if (count == null) {
        count = search(mapping);
        known.put(mapping, count);
      }
      return count;
    }

    private long search(int mapping) {
      VirtualView view = sources.view();
      long gap = view.end() == VirtualView.End.FIRST_MISSING ? 0 : view.gap();
      long blocks = 0;
      for (long block = 0; block - gap <= blocks; block++) {
        if (sources.source(mappings.entries().get(mapping), block).isPresent()) {
          blocks = block + 1;
        }
      }
      return blocks;
    }
  }
}
