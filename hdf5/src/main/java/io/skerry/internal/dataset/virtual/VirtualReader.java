package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.datatype.conversion.ElementParts;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.dataset.Elements;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.internal.value.PackedArrays;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Reads virtual datasets. The values of each part are read from its source; elements without a
 * source have the fill value. Local.
 *
 * @param workers the file whose worker threads read sources
 * @param shape the extent of the virtual dataset
 * @param type the memory datatype, to which the values of each source are converted
 */
record VirtualReader(
    VirtualParts parts,
    MappingSources sources,
    CollectiveFile workers,
    Shape shape,
    Datatype type) {
  /**
   * Reads the selected elements that have a source. The others keep the fill value, which the
   * buffer already contains.
   *
   * @param target the buffer, with one value for each selected element, in selection order
   */
  void read(Selection selection, TypedMemory target) {
    MemorySegment packed = target.values();
    selection.checkWithin(shape);
    Selection resolved = selection.resolve(shape);
    Wanted wanted = Wanted.of(resolved, shape);
    boolean unused =
        sources.guarded(() -> {
          PartBatch batch = new PartBatch(this, packed);
          parts.forEach(resolved, part -> batch.add(part, wanted.once()));
          batch.read();
          return true;
        });
    repeat(wanted, target);
  }

  /** Copies the values of elements that are selected more than once to their other places. */
  void repeat(Wanted wanted, TypedMemory target) {
    MemorySegment packed = target.values();
    ElementParts written = target.conversion().written();
    wanted.forEachRepeated((from, to, length) ->
        written.copy(
            packed.asSlice(from * type.size(), length * type.size()),
            packed.asSlice(to * type.size(), length * type.size()),
            length));
  }

  /** Returns whether the values of a source replace all bytes of an element. */
  boolean replaces(SourceDatasets.Source source) {
    return !Conversion.between(source.datatype(), type, source.path()).keepsBackground();
  }

  /**
   * Reads elements of a part, if it has a source.
   *
   * @param pieces the elements, with their places in the buffer
   */
  void part(Part part, List<Piece> pieces, MemorySegment packed) {
    sources
        .source(part.mapping(), part.block())
        .ifPresent(source -> part(part, source, pieces, packed));
  }

  /**
   * Reads elements of a part from its source.
   *
   * @param pieces the elements, with their places in the buffer
   */
  void part(Part part, NativeDataset source, List<Piece> pieces, MemorySegment packed) {
    part(part, new SourceDatasets.Opened(source), pieces, packed);
  }

  /** Reads elements of a part from a source that need not be open in full. Thread-safe. */
  void part(Part part, SourceDatasets.Source source, List<Piece> pieces, MemorySegment packed) {
    Selection from = part.source(source, shape);
    if (Elements.leadOutside(type)) {
      throw new UnsupportedFeatureException(
          "bytes of virtual elements of type " + type + "; read values instead", sources.path());
    }
    if (pieces.isEmpty()) {
      return;
    }
    Selection needed = Piece.needed(source.shape(), from, pieces);
    if (pieces.size() == 1) {
      Piece only = pieces.getFirst();
      MemorySegment place = packed.asSlice(only.place() * type.size(), only.length() * type.size());
      source.read(needed, type, place);
      return;
    }
    MemorySegment values =
        PackedArrays.buffer(pieces.stream().mapToLong(Piece::length).sum(), type);
    if (Conversion.between(source.datatype(), type, source.path()).keepsBackground()) {
      forEach(
          pieces,
          (piece, at, bytes) ->
              MemorySegment.copy(packed, piece.place() * type.size(), values, at, bytes));
    }
    source.read(needed, type, values);
    forEach(
        pieces,
        (piece, at, bytes) ->
            MemorySegment.copy(values, at, packed, piece.place() * type.size(), bytes));
  }

  /** Processes a piece whose values begin at the given byte offset of a buffer. */
  @FunctionalInterface
  private interface PieceAction {
    void apply(Piece piece, long at, long bytes);
  }

  private void forEach(List<Piece> pieces, PieceAction action) {
    long at = 0;
    for (Piece piece : pieces) {
      long bytes = piece.length() * type.size();
      action.apply(piece, at, bytes);
      at += bytes;
    }
  }
}
