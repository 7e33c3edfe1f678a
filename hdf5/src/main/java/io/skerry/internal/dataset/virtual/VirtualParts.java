package io.skerry.internal.dataset.virtual;

import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The parts of a virtual dataset, with unlimited selections reduced to the extent of their sources.
 * All existing sources are used.
 *
 * @param shape the extent of the virtual dataset
 */
record VirtualParts(MappingIndex index, MappingSources sources, Shape shape) {
  /** Receives the parts of a virtual dataset. */
  @FunctionalInterface
  interface PartVisitor {
    void visit(Part part);
  }

  /** Visits the parts that intersect a selection. */
  void forEach(Selection wanted, PartVisitor visitor) {
    for (int number : index.meeting(wanted, shape)) {
      VirtualMapping mapping = index.mappings().entries().get(number);
      OptionalInt unlimited = mapping.unlimitedVirtual();
      if (unlimited.isEmpty()) {
        visit(new Part(number, mapping, 0, mapping.virtual().resolve(shape)), wanted, visitor);
        continue;
      }
      int d = unlimited.getAsInt();
      UnlimitedPart virtual = UnlimitedPart.ofVirtual(mapping, d);
      if (!mapping.isPerBlock()) {
        Selection whole = mapping.virtual().resolve(shape);
        if (!whole.intersect(wanted).isEmpty()) {
          // The source may have grown since the extent was computed.
          long slices = Math.min(sources.slices(mapping), virtual.slicesWithin(shape.extent(d)));
          visit(new Part(number, mapping, 0, virtual.first(slices)), wanted, visitor);
        }
        continue;
      }
      new Blocks(number, mapping, virtual, d, shape, visitor)
          .visit(0, virtual.blocksWithin(shape.extent(d)), wanted);
    }
  }

  /**
   * The parts of a mapping with one source per block.
   *
   * @param number the index of the mapping
   * @param virtual the blocks along the unlimited dimension
   * @param dimension the index of that dimension
   * @param shape the extent of the virtual dataset
   */
  private record Blocks(
      int number,
      VirtualMapping mapping,
      UnlimitedPart virtual,
      int dimension,
      Shape shape,
      PartVisitor visitor) {
    /**
     * Visits the blocks from {@code first} to before {@code end} that intersect a selection. Halves
     * the range, since the dataset may have far more blocks than the selection meets.
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
        VirtualParts.visit(new Part(number, mapping, from, virtual.block(from)), wanted, visitor);
      }
    }

    /** Returns the elements from the start of one block to before the end of a later one. */
    private Selection range(long first, long end) {
      long[] start = new long[shape.rank()];
      long[] size = shape.extent();
      start[dimension] = virtual.startOf(first);
      size[dimension] = Math.min(size[dimension], virtual.endOf(end - 1)) - start[dimension];
      return Selection.box(start, size);
    }
  }

  /**
   * Returns the part of a mapping whose extent does not depend on its source.
   *
   * @param number the index of the mapping
   * @param block the number of the block, for a mapping with one source per block
   */
  Part part(int number, long block) {
    VirtualMapping mapping = index.mappings().entries().get(number);
    OptionalInt unlimited = mapping.unlimitedVirtual();
    return new Part(
        number,
        mapping,
        block,
        unlimited.isEmpty()
            ? mapping.virtual().resolve(shape)
            : UnlimitedPart.ofVirtual(mapping, unlimited.getAsInt()).block(block));
  }

  private static void visit(Part part, Selection wanted, PartVisitor visitor) {
    if (!part.virtual().isEmpty() && !part.virtual().intersect(wanted).isEmpty()) {
      visitor.visit(part);
    }
  }
}
