package io.skerry.internal.dataset.virtual.element;

import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.ValueReader;
import io.skerry.internal.value.ValueWriter;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Converts elements of a dataset to elements of the virtual dataset that is read. Each dataset in
 * {@link #datasets} after the first adds one conversion. Local, not thread-safe.
 *
 * @param datasets the dataset, followed by the virtual datasets of which it is directly or
 *     indirectly a source; the last one is the virtual dataset that is read
 * @param target the buffer for the elements and the heap objects to which they refer
 */
public record ElementConversions(List<DatasetElements> datasets, ElementBuffer target) {
  /** Returns the conversions of elements of the virtual dataset that is read: none. */
  public static ElementConversions to(ElementBuffer target) {
    return new ElementConversions(List.of(target.dataset()), target);
  }

  /** Returns the conversions of elements of a source of the first dataset. */
  public ElementConversions from(DatasetElements source) {
    return new ElementConversions(
        Stream.concat(Stream.of(source), datasets.stream()).toList(), target);
  }

  /**
   * Converts elements of the first dataset, which must not also be the last one, and stores their
   * heap objects in the target.
   *
   * @return the elements in the datatype of the last dataset
   * @throws UnsupportedFeatureException if the elements have a datatype that cannot be converted
   * @throws io.skerry.exception.FormatException if an element is damaged
   */
  public MemorySegment convert(StoredElements read) {
    StoredContents origin = StoredContents.of(read.contents());
    StoredElements elements = read;
    for (int i = 1; i < datasets.size(); i++) {
      DatasetElements from = datasets.get(i - 1);
      DatasetElements to = datasets.get(i);
      // References to objects of a file keep their addresses in virtual datasets of that file, so
      // origin can look up those objects too.
      SourceContents contents =
          i == datasets.size() - 1 ? target.contents() : new SourceContents(to.file(), origin);
      elements = new StoredElements(converted(from, to, elements, contents), contents);
    }
    return elements.packed();
  }

  private static MemorySegment converted(
      DatasetElements from, DatasetElements to, StoredElements elements, SourceContents contents) {
    StoredContents there = StoredContents.of(elements.contents());
    long count = elements.packed().byteSize() / from.type().size();
    if (ElementTransfer.type(from.type(), there.widths(), contents.widths()).equals(to.type())) {
      return new ElementTransfer(
              there, contents.widths(), contents, contents.objectsOf(from.file(), there))
          .transfer(from.type(), elements.packed(), count);
    }
    if (ElementTransfer.refersToObjects(to.type())) {
      throw unsupported("references", from, to, "");
    }
    try {
      return new ValueWriter(contents.widths(), contents)
          .writeAll(
              to.type(), new ValueReader(there).readAll(from.type(), elements.packed(), count));
    } catch (IllegalArgumentException e) {
      throw unsupported("values", from, to, ": " + e.getMessage());
    }
  }

  private static UnsupportedFeatureException unsupported(
      String what, DatasetElements from, DatasetElements to, String reason) {
    return new UnsupportedFeatureException(
            what
                + " of a source with the type "
                + from.type()
                + " in place of "
                + to.type()
                + reason,
            to.path())
        .inFile(from.file().name());
  }

  /**
   * Converts elements of the first dataset and stores them in the target.
   *
   * @param pieces the elements, one piece after the other, with their places in the target
   */
  public void put(StoredElements read, List<Piece> pieces) {
    MemorySegment values = convert(read);
    long at = 0;
    for (Piece piece : pieces) {
      target.put(values, at, piece.place(), piece.length());
      at += piece.length();
    }
  }
}
