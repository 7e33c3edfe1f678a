package io.skerry.internal.dataset.through;

import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Computes the extent of a source that does not exist: the smallest one that contains the elements
 * of its mappings. A mapping adds no elements in its unlimited dimension, in which the source can
 * grow. A mapping to all elements of the source does not determine their arrangement: if the
 * virtual elements form a box, the source has the shape of this box; otherwise, it is
 * one-dimensional.
 */
public final class SourceExtent {
  private final String source;
  private Optional<Shape> known = Optional.empty();

  /**
   * Creates an instance with an unknown extent.
   *
   * @param source the name of the source, for messages
   */
  public SourceExtent(String source) {
    this.source = source;
  }

  /**
   * Adds the elements of a mapping.
   *
   * @param virtual the elements of the virtual dataset that the mapping selects
   * @param shape the extent of the virtual dataset
   * @throws IllegalArgumentException if the mappings require different ranks of the source
   */
  public void add(VirtualMapping mapping, Selection virtual, Shape shape) {
    OptionalInt unlimited = mapping.unlimitedSource();
    if (unlimited.isPresent()) {
      int d = unlimited.getAsInt();
      Selection first = UnlimitedPart.ofSource(mapping, d).first(1);
      long[] end = end(first);
      end[d] = 0;
      grow(Shape.of(end).unlimited(d));
    } else if (mapping.source().rank().isPresent()) {
      grow(Shape.of(end(mapping.source())));
    } else {
      arrangement(virtual, shape).ifPresent(this::grow);
    }
  }

  private static long[] end(Selection selection) {
    int rank = selection.rank().orElseThrow();
    long[] end = new long[rank];
    selection.boundingBox(Shape.of(end)).ifPresent(box -> Arrays.setAll(end, d -> box.end(d)));
    return end;
  }

  private static Optional<Shape> arrangement(Selection virtual, Shape shape) {
    long count = virtual.count(shape);
    Optional<Box> bounds = virtual.boundingBox(shape);
    if (bounds.isEmpty()) {
      return Optional.empty();
    }
    long[] sizes = new long[shape.rank()];
    Arrays.setAll(sizes, d -> bounds.get().end(d) - bounds.get().start(d));
    Shape box = Shape.of(sizes);
    return Optional.of(box.elements() == count ? box : Shape.of(count));
  }

  private void grow(Shape more) {
    Shape before = known.orElse(more);
    if (before.rank() != more.rank()) {
      throw new IllegalArgumentException(
          "the mappings to a missing source have different ranks: source="
              + source
              + " extents="
              + before
              + " and "
              + more);
    }
    long[] extent = before.extent();
    long[] maximum = before.maximum();
    for (int d = 0; d < extent.length; d++) {
      extent[d] = Math.max(extent[d], more.extent(d));
      boolean endless = maximum[d] == Shape.UNLIMITED || more.maximum(d) == Shape.UNLIMITED;
      maximum[d] = endless ? Shape.UNLIMITED : extent[d];
    }
    known = Optional.of(Shape.of(extent, maximum));
  }

  /**
   * Returns the extent.
   *
   * @throws IllegalArgumentException if no mapping contains an element or determines the rank of
   *     the source
   */
  public Shape shape() {
    return known.orElseThrow(() ->
        new IllegalArgumentException(
            "no mapping contains an element of the source: source=" + source));
  }
}
