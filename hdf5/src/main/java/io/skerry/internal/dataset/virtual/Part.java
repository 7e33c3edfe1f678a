package io.skerry.internal.dataset.virtual;

import io.skerry.exception.FormatException;
import io.skerry.format.vds.UnlimitedPart;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.Runs;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A part of a virtual dataset that has one source.
 *
 * @param mapping the mapping of the part
 * @param block the number of the block, for a mapping with one source per block
 * @param virtual the elements of the part in the virtual dataset
 */
record Part(VirtualMapping mapping, long block, Selection virtual) {
  /** Returns the names of the file and of the dataset of the source. */
  String sourceName() {
    return mapping.file().name(block) + ":" + mapping.dataset().name(block);
  }

  /** Rejects a selection whose number of dimensions differs from that of its dataset. */
  static void checkRank(String what, Selection selection, Shape shape) {
    if (selection.rank().orElse(shape.rank()) != shape.rank()) {
      throw new FormatException(
          "rank of the " + what + " selection", shape.rank(), selection.rank().getAsInt());
    }
  }

  /** Returns a copy of an exception that names a mapping by its source. */
  static FormatException in(VirtualMapping mapping, long block, FormatException e) {
    return e.inPart(
        "mapping to " + mapping.file().name(block) + ":" + mapping.dataset().name(block));
  }

  /**
   * Returns the selected elements of the part; none if the part exceeds the extent, an error that
   * {@link #source} reports.
   *
   * @param shape the extent of the virtual dataset
   * @param wanted the runs that contain each selected element once
   */
  List<Piece> pieces(Shape shape, Runs wanted) {
    return isWithin(shape) ? Piece.of(virtual, shape, wanted) : List.of();
  }

  private boolean isWithin(Shape shape) {
    Optional<Box> box = virtual.boundingBox(shape);
    for (int d = 0; box.isPresent() && d < shape.rank(); d++) {
      if (box.get().end(d) > shape.extent(d)) {
        return false;
      }
    }
    return true;
  }

  /** Rejects a selection that exceeds the extent of its dataset. */
  private static void checkWithin(String what, Selection selection, Shape shape) {
    Optional<Box> box = selection.boundingBox(shape);
    for (int d = 0; box.isPresent() && d < shape.rank(); d++) {
      if (box.get().end(d) > shape.extent(d)) {
        throw new FormatException(
            "end of the " + what + " selection in dimension " + d,
            "at most " + shape.extent(d),
            box.get().end(d));
      }
    }
  }

  /**
   * Returns the elements of the source that the part maps.
   *
   * @param shape the extent of the virtual dataset
   * @throws FormatException if a selection of the mapping exceeds its dataset or has a different
   *     rank, or if the mapping has more or fewer elements in the source than in the virtual
   *     dataset
   */
  Selection source(NativeDataset source, Shape shape) {
    return source(source.shape(), shape);
  }

  /** Returns the elements of a source that the part maps; its file need not be open in full. */
  Selection source(SourceDatasets.Source source, Shape shape) {
    return source(source.shape(), shape);
  }

  private Selection source(Shape source, Shape shape) {
    try {
      return checked(source, shape);
    } catch (FormatException e) {
      throw in(mapping, block, e);
    }
  }

  private Selection checked(Shape source, Shape shape) {
    checkWithin("virtual", virtual, shape);
    Selection from = resolved(source, shape);
    long count = from.count(source);
    if (count != virtual.count(shape)) {
      throw new FormatException("elements of the source selection", virtual.count(shape), count);
    }
    return from;
  }

  private Selection resolved(Shape source, Shape shape) {
    Selection selection = mapping.source();
    checkRank("source", selection, source);
    OptionalInt unlimited = mapping.unlimitedSource();
    if (unlimited.isEmpty()) {
      checkWithin("source", selection, source);
      return selection.resolve(source);
    }
    int d = unlimited.getAsInt();
    UnlimitedPart slices = UnlimitedPart.ofSource(mapping, d);
    Selection first = slices.first(Math.min(slices.slicesWithin(source.extent(d)), slices(shape)));
    checkWithin("source", first, source);
    return first;
  }

  /**
   * Returns the number of slices of the part along the unlimited dimension of its mapping; {@link
   * Long#MAX_VALUE} if there is no such dimension, or if the part is empty.
   */
  private long slices(Shape shape) {
    OptionalInt unlimited = mapping.unlimitedVirtual();
    Optional<Box> bounds = virtual.boundingBox(shape);
    if (unlimited.isEmpty() || bounds.isEmpty()) {
      return Long.MAX_VALUE;
    }
    int d = unlimited.getAsInt();
    return UnlimitedPart.ofVirtual(mapping, d).slicesWithin(bounds.get().end(d));
  }
}
