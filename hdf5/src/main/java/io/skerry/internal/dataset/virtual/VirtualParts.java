package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.internal.dataset.virtual.place.RowRange;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The parts of a virtual dataset, with unlimited selections reduced to the extent of their sources.
 *
 * @param counts a function from the index of a mapping with one source per block to its number of
 *     blocks
 * @param shape the extent of the virtual dataset
 */
record VirtualParts(
    MappingIndex index, MappingSources sources, IntToLongFunction counts, Shape shape) {
  /** The maximum number of runs of a part that are compared with a selection. */
  private static final long RUNS_COMPARED = 1 << 20;

  /** Receives the parts of a virtual dataset. */
  @FunctionalInterface
  interface PartVisitor {
    void visit(Part part);
  }

  /**
   * Visits the parts that intersect a selection. A part with very many runs may be visited even if
   * it does not intersect the selection.
   */
  void forEach(Selection wanted, PartVisitor visitor) {
    for (int number : index.meeting(wanted, shape)) {
      VirtualMapping mapping = index.mappings().entries().get(number);
      OptionalInt unlimited = mapping.unlimitedVirtual();
      if (unlimited.isEmpty()) {
        visit(new Part(mapping, 0, mapping.virtual().resolve(shape)), wanted, visitor);
        continue;
      }
      int d = unlimited.getAsInt();
      UnlimitedPart virtual = UnlimitedPart.ofVirtual(mapping, d);
      if (!mapping.isPerBlock()) {
        Selection whole = mapping.virtual().resolve(shape);
        if (!whole.intersect(wanted).isEmpty()) {
          // The source may have grown since the extent was computed.
          long slices = Math.min(sources.slices(mapping), virtual.slicesWithin(shape.extent(d)));
          visit(new Part(mapping, 0, virtual.first(slices)), wanted, visitor);
        }
        continue;
      }
      new Blocks(mapping, virtual, d, shape, visitor)
          .visit(
              0,
              Math.min(counts.applyAsLong(number), virtual.blocksWithin(shape.extent(d))),
              wanted);
    }
  }

  /**
   * The parts of a mapping with one source per block.
   *
   * @param virtual the blocks along the unlimited dimension
   * @param dimension the index of that dimension
   * @param shape the extent of the virtual dataset
   */
  private record Blocks(
      VirtualMapping mapping,
      UnlimitedPart virtual,
      int dimension,
      Shape shape,
      PartVisitor visitor) {
    /**
     * Visits the blocks from {@code first} to {@code end} (exclusive) that intersect a selection.
     * Halves the range recursively, since the dataset may have far more blocks than the selection
     * intersects.
     */
    void visit(long first, long end, Selection wanted) {
      Optional<Box> bounds = wanted.boundingBox(shape);
      if (bounds.isEmpty()) {
        return;
      }
      long from = Math.max(first, virtual.blocksBefore(bounds.get().start(dimension)));
      long to = Math.min(end, virtual.blocksWithin(bounds.get().end(dimension)));
      if (to - from > 1) {
        long middle = from + (to - from) / 2;
        visit(from, middle, wanted.intersect(range(from, middle)));
        visit(middle, to, wanted.intersect(range(middle, to)));
      } else if (from < to) {
        VirtualParts.visit(new Part(mapping, from, virtual.block(from)), wanted, visitor);
      }
    }

    /** Returns the box that encloses the blocks from {@code first} to {@code end} (exclusive). */
    private Selection range(long first, long end) {
      long[] start = new long[shape.rank()];
      long[] size = shape.extent();
      start[dimension] = virtual.startOf(first);
      size[dimension] = Math.min(size[dimension], virtual.endOf(end - 1)) - start[dimension];
      return Selection.box(start, size);
    }
  }

  private static void visit(Part part, Selection wanted, PartVisitor visitor) {
    if (!part.virtual().isEmpty() && mayMeet(part.virtual(), wanted)) {
      visitor.visit(part);
    }
  }

  /**
   * Returns whether two selections may have an element in common. The result is exact unless the
   * first selection has too many runs to compare each of them with the second.
   */
  private static boolean mayMeet(Selection virtual, Selection wanted) {
    if (virtual instanceof Hyperslab slab
        && wanted instanceof Hyperslab other
        && SelectionSets.isOneBlock(slab)
        && SelectionSets.isOneBlock(other)) {
      Box first = SelectionSets.bounds(slab);
      Box second = SelectionSets.bounds(other);
      for (int d = 0; d < first.rank(); d++) {
        if (first.start(d) >= second.end(d) || second.start(d) >= first.end(d)) {
          return false;
        }
      }
      return true;
    }
    if (!new RowRange(virtual, 0).hasMoreRunsThan(RUNS_COMPARED)) {
      return !virtual.intersect(wanted).isEmpty();
    }
    if (virtual instanceof Hyperslab slab && wanted instanceof Hyperslab other) {
      HyperslabDimension[] along = SelectionSets.dimensions(slab);
      HyperslabDimension[] others = SelectionSets.dimensions(other);
      return IntStream.range(0, along.length).allMatch(d -> along[d].intersects(others[d]));
    }
    return !wanted.isEmpty();
  }
}
