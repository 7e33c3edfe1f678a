package io.skerry.internal.dataset.virtual;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.Runs;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.PackedArrays;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.ValueReader;
import io.skerry.internal.value.ValueWriter;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Reads elements of a virtual dataset that refer to contents: variable-length values and
 * references. The contents are copied from the files of the sources. Local.
 *
 * @param shape the extent of the virtual dataset
 * @param type the datatype of the virtual dataset
 */
record VirtualElements(VirtualParts parts, MappingSources sources, Shape shape, Datatype type) {
  /** Reads the selected elements; those without a source have the fill value. */
  StoredElements read(NativeDataset dataset, Selection selection) {
    selection.checkWithin(shape);
    Selection resolved = selection.resolve(shape);
    SourceContents contents = new SourceContents(dataset);
    MemorySegment packed = PackedArrays.buffer(resolved.count(shape), type);
    StoredContents own = dataset.file().contents();
    fill(
        packed,
        transfer(own, contents, address -> address).transfer(type, dataset.fillElement(), 1));
    Wanted wanted = Wanted.of(resolved, shape);
    boolean unused =
        sources.guarded(() -> {
          parts.forEach(resolved, part -> part(part, wanted.once(), contents, packed));
          return true;
        });
    wanted.forEachRepeated((from, to, length) -> copy(packed, from, packed, to, length));
    return new StoredElements(packed, contents);
  }

  private static ElementTransfer transfer(
      StoredContents from, SourceContents to, LongUnaryOperator objects) {
    return new ElementTransfer(from, to.widths(), to, objects);
  }

  private static void fill(MemorySegment packed, MemorySegment element) {
    for (long at = 0; at < packed.byteSize(); at += element.byteSize()) {
      MemorySegment.copy(element, 0, packed, at, element.byteSize());
    }
  }

  private void part(Part part, Runs wanted, SourceContents contents, MemorySegment packed) {
    Optional<NativeDataset> found = sources.find(part.mapping(), part.block());
    if (found.isEmpty()) {
      return;
    }
    NativeDataset source = found.get();
    Selection from = part.source(source, shape);
    List<Piece> pieces = Piece.of(part.virtual(), shape, wanted);
    if (pieces.isEmpty()) {
      return;
    }
    StoredElements read = source.local().readElements(Piece.needed(source.shape(), from, pieces));
    MemorySegment values = converted(source, read, contents);
    long at = 0;
    for (Piece piece : pieces) {
      copy(values, at, packed, piece.place(), piece.length());
      at += piece.length();
    }
  }

  private void copy(MemorySegment from, long at, MemorySegment to, long place, long length) {
    int size = type.size();
    MemorySegment.copy(from, at * size, to, place * size, length * size);
  }

  /** Returns elements of a source as elements of the virtual dataset. */
  private MemorySegment converted(
      NativeDataset source, StoredElements read, SourceContents contents) {
    StoredContents there = StoredContents.of(read.contents());
    Datatype old = source.datatype();
    long count = read.packed().byteSize() / old.size();
    if (ElementTransfer.type(old, there.widths(), contents.widths()).equals(type)) {
      return transfer(there, contents, contents.objectsOf(source, there))
          .transfer(old, read.packed(), count);
    }
    if (ElementTransfer.refersToObjects(type)) {
      throw new UnsupportedFeatureException(
              "references of a source with the type " + old + " in place of " + type,
              sources.path())
          .inFile(source.file().path().toString());
    }
    try {
      return new ValueWriter(contents.widths(), contents)
          .writeAll(type, new ValueReader(there).readAll(old, read.packed(), count));
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFeatureException(
              "values of a source with the type "
                  + old
                  + " in place of "
                  + type
                  + ": "
                  + e.getMessage(),
              sources.path())
          .inFile(source.file().path().toString());
    }
  }
}
