package io.skerry.internal.dataset.virtual;

import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.element.DatasetElements;
import io.skerry.internal.dataset.virtual.element.ElementBuffer;
import io.skerry.internal.dataset.virtual.element.ElementConversions;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import java.util.List;

/**
 * Reads elements of a virtual dataset that contain variable-length values or references. The heap
 * objects and the paths of the HDF5 objects to which they refer are copied from the files of the
 * sources. Local.
 */
record VirtualElements(VirtualParts parts, MappingSources sources) {
  /** Returns the extent of the virtual dataset. */
  Shape shape() {
    return parts.shape();
  }

  /** Reads the selected elements; those without a source have the fill value. */
  StoredElements read(NativeDataset dataset, Selection selection) {
    selection.checkWithin(shape());
    Selection resolved = selection.resolve(shape());
    ElementBuffer buffer = ElementBuffer.of(dataset, resolved.count(shape()));
    ElementConversions conversions = ElementConversions.to(buffer);
    Wanted wanted = Wanted.of(resolved, shape());
    boolean unused =
        sources.guarded(() -> {
          parts.forEach(
              resolved, part -> part(part, part.pieces(shape(), wanted.once()), conversions));
          return true;
        });
    buffer.repeat(wanted);
    return buffer.elements();
  }

  /**
   * Reads elements of a part, if it has a source.
   *
   * @param pieces the elements, with their places in the buffer
   * @param conversions the conversions of elements of the virtual dataset
   */
  void part(Part part, List<Piece> pieces, ElementConversions conversions) {
    sources
        .find(part.mapping(), part.block())
        .ifPresent(source -> part(part, source, pieces, conversions));
  }

  /**
   * Reads elements of a part from its source.
   *
   * @param pieces the elements, with their places in the buffer
   * @param conversions the conversions of elements of the virtual dataset
   */
  void part(Part part, NativeDataset source, List<Piece> pieces, ElementConversions conversions) {
    Selection from = part.source(source, shape());
    if (!pieces.isEmpty()) {
      conversions
          .from(DatasetElements.of(source))
          .put(source.local().readElements(Piece.needed(source.shape(), from, pieces)), pieces);
    }
  }
}
