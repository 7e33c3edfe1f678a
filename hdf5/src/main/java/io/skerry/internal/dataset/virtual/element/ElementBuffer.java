package io.skerry.internal.dataset.virtual.element;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.place.PlacedPieces;
import io.skerry.internal.dataset.virtual.place.RepeatedPlaces;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.PackedArrays;
import io.skerry.internal.value.StoredContents;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;

/**
 * The elements that a read of a virtual dataset returns, with copies of the heap objects
 * (variable-length content and the data of references) to which they refer. Local, not thread-safe.
 */
public final class ElementBuffer {
  private final DatasetElements dataset;
  private final SourceContents contents;
  private final MemorySegment packed;

  private ElementBuffer(DatasetElements dataset, SourceContents contents, MemorySegment packed) {
    this.dataset = dataset;
    this.contents = contents;
    this.packed = packed;
  }

  /**
   * Creates a buffer in which all elements have the fill value.
   *
   * @param dataset the virtual dataset
   * @param count the number of elements
   */
  public static ElementBuffer of(NativeDataset dataset, long count) {
    DatasetElements elements = DatasetElements.of(dataset);
    StoredContents own = dataset.file().contents();
    SourceContents contents = new SourceContents(elements.file(), own);
    MemorySegment packed = PackedArrays.buffer(count, elements.type());
    MemorySegment fill =
        new ElementTransfer(own, contents.widths(), contents, address -> address)
            .transfer(elements.type(), dataset.fillElement(), 1);
    for (long at = 0; at < packed.byteSize(); at += fill.byteSize()) {
      MemorySegment.copy(fill, 0, packed, at, fill.byteSize());
    }
    return new ElementBuffer(elements, contents, packed);
  }

  /** Returns the virtual dataset. */
  DatasetElements dataset() {
    return dataset;
  }

  /** Returns the access to the copied heap objects and to the HDF5 objects. */
  SourceContents contents() {
    return contents;
  }

  /**
   * Stores elements.
   *
   * @param values elements in the datatype of the virtual dataset, with heap objects in this buffer
   * @param from the number of values before the elements
   * @param place the place of the first element
   * @param length the number of elements
   */
  public void put(MemorySegment values, long from, long place, long length) {
    int size = dataset.type().size();
    MemorySegment.copy(values, from * size, packed, place * size, length * size);
  }

  /**
   * Stores the same element at several places.
   *
   * @param element the element in the datatype of the virtual dataset, with heap objects in this
   *     buffer
   */
  public void fill(PlacedPieces places, MemorySegment element) {
    places.fill(element, Conversion.none(dataset.type()), packed);
  }

  /** Returns the elements that a mapping selects more than once in a virtual source. */
  public RepeatedPlaces repeated(Wanted wanted, PlacedPieces places) {
    return new RepeatedPlaces(wanted, places, Conversion.none(dataset.type()));
  }

  /** Copies elements of a virtual source to their other places. */
  public void repeat(RepeatedPlaces places) {
    places.copy(packed);
  }

  /** Copies elements that are selected more than once to their other places. */
  public void repeat(Wanted wanted) {
    int size = dataset.type().size();
    wanted.forEachRepeated((from, to, length) ->
        MemorySegment.copy(packed, from * size, packed, to * size, length * size));
  }

  /** Returns the elements, with access to the objects to which they refer. */
  public StoredElements elements() {
    return new StoredElements(packed, contents);
  }
}
