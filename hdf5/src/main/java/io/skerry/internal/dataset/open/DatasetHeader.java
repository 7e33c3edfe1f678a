package io.skerry.internal.dataset.open;

import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.internal.dataset.Storage;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The messages in the header of a dataset. Each method throws a {@link FormatException} if a
 * required message is missing, or if a message is damaged or contradicts another one.
 */
public record DatasetHeader(ObjectHeader header) {
  /** Returns the datatype of the elements. */
  public Datatype type() {
    return required(header.find(DatatypeMessage.class), "datatype").datatype();
  }

  /** Returns the extent in the file. */
  public Shape shape() {
    return required(header.find(DataspaceMessage.class), "dataspace").shape();
  }

  /** Returns the layout. */
  LayoutMessage layout() {
    return required(header.find(LayoutMessage.class), "layout");
  }

  /** Returns the fill value as stored; empty if none is defined. */
  public Optional<MemorySegment> fill(Datatype type) {
    Optional<FillValueMessage> newer = header.find(FillValueMessage.class);
    Optional<Bytes> value =
        newer.isPresent()
            ? newer.get().userValue()
            : header
                .find(OldFillValueMessage.class)
                .map(OldFillValueMessage::value)
                .filter(bytes -> bytes.size() > 0);
    if (value.isPresent() && value.get().size() != type.size()) {
      throw new FormatException("size of the fill value", type.size(), value.get().size());
    }
    return value.map(Bytes::segment);
  }

  /**
   * Returns the storage if the elements are in the object header or in one allocated block of the
   * file; empty otherwise, and for a null dataspace.
   */
  public Optional<Storage> flat(Datatype type) {
    if (header.require(DataspaceMessage.class).kind() == DataspaceMessage.Kind.NULL) {
      return Optional.empty();
    }
    return switch (layout()) {
      case CompactLayout compact -> Optional.of(storage(compact, type));
      case ContiguousLayout block
          when block.isAllocated() && !header.has(ExternalFilesMessage.class) -> {
        checkCountable(type, shape());
        yield Optional.of(storage(block, type));
      }
      default -> Optional.empty();
    };
  }

  /** Returns the storage of a dataset whose elements are in its object header. */
  Storage.Compact storage(CompactLayout layout, Datatype type) {
    checkSize("bytes of compact data", layout.data().size(), type);
    return new Storage.Compact(layout.data().segment());
  }

  /** Returns the storage of a dataset whose elements are in one block of the file. */
  Storage.Contiguous storage(ContiguousLayout layout, Datatype type) {
    if (layout.isAllocated()) {
      checkSize("bytes of contiguous data", layout.size(), type);
    }
    return Storage.Contiguous.of(layout);
  }

  /** Checks that the total size of the elements in bytes is less than 2^63. */
  void checkCountable(Datatype type, Shape shape) {
    if (shape.elements() > Long.MAX_VALUE / type.size()) {
      throw new FormatException("bytes of a contiguous dataset", "below 2^63", shape + " elements");
    }
  }

  /** Checks that the elements fit in their storage; a null dataspace has no elements. */
  private void checkSize(String what, long size, Datatype type) {
    long elements = header.require(DataspaceMessage.class).elements();
    if (size / type.size() < elements) {
      throw new FormatException(
          what, "at least " + elements + " elements of " + type.size() + " bytes", size);
    }
  }

  private static <T> T required(Optional<T> message, String what) {
    return message.orElseThrow(
        () -> new FormatException("dataset without a message", what, "none"));
  }
}
