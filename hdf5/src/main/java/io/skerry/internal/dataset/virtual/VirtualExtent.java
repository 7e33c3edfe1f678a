package io.skerry.internal.dataset.virtual;

import io.skerry.exception.FormatException;
import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.selection.AllSelection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Computes the extent of a virtual dataset. The extent of a mapping with one source per block ends
 * at its first missing source.
 */
record VirtualExtent(VirtualMappings mappings, MappingSources sources) {
  /**
   * Returns the extent of the virtual dataset; unlimited mappings end where their sources end.
   *
   * @param stored the extent in the file
   */
  Shape of(Shape stored) {
    long[] grown = new long[stored.rank()];
    Arrays.fill(grown, -1);
    long[] least = new long[stored.rank()];
    for (VirtualMapping mapping : mappings.entries()) {
      OptionalInt unlimited = mapping.unlimitedVirtual();
      if (unlimited.isPresent()) {
        int d = unlimited.getAsInt();
        grown[d] = Math.max(grown[d], reach(mapping, d));
      } else if (!(mapping.virtual() instanceof AllSelection)) {
        mapping
            .virtual()
            .boundingBox(stored)
            .ifPresent(box -> {
              for (int d = 0; d < least.length; d++) {
                least[d] = Math.max(least[d], box.end(d));
              }
            });
      }
    }
    long[] extent = stored.extent();
    for (int d = 0; d < extent.length; d++) {
      if (grown[d] >= 0) {
        long limit = stored.maximum(d) == Shape.UNLIMITED ? Long.MAX_VALUE : stored.maximum(d);
        extent[d] = Math.min(limit, Math.max(grown[d], least[d]));
      }
    }
    return countable(Shape.of(extent, stored.maximum()));
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

  private long reach(VirtualMapping mapping, int dimension) {
    UnlimitedPart virtual = UnlimitedPart.ofVirtual(mapping, dimension);
    if (mapping.isPerBlock()) {
      long blocks = 0;
      while (sources.find(mapping, blocks).isPresent()) {
        blocks++;
      }
      return virtual.extentOfBlocks(blocks);
    }
    return virtual.extentOf(sources.slices(mapping));
  }
}
