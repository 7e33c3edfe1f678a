package io.skerry.internal.copy.header;

import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.ElementTransfer;
import java.util.function.LongUnaryOperator;

/** Copies the fill value of a dataset, which may be stored in the old fill value message. */
final class CopiedFillValue {
  private CopiedFillValue() {}

  /**
   * Returns the fill value message for the copy of a dataset.
   *
   * @param old the object header of the source dataset
   * @param transfer the transfer that copies elements, and the data to which they refer, to the
   *     target file
   */
  static FillValueMessage of(ObjectHeader old, ElementTransfer transfer) {
    FillValueMessage message = old.find(FillValueMessage.class).orElseGet(() -> older(old));
    if (message.userValue().isEmpty()) {
      return message;
    }
    Datatype type = old.require(DatatypeMessage.class).datatype();
    Bytes value = message.value();
    if (!ElementTransfer.holdsAddresses(type) || value.size() != type.size()) {
      return message;
    }
    return new FillValueMessage(
        message.allocation(),
        message.writing(),
        message.state(),
        Bytes.of(transfer.transfer(type, value.segment(), 1)));
  }

  /**
   * Transfers the fill value of a dataset again, and replaces the fill value in the header of the
   * copy.
   *
   * @param copy the address of the object header of the copy
   * @param objects a function from the address of an object to its new address, or to 0 if
   *     references to the object become null
   */
  static void replace(
      ObjectLocation from, CopyTarget target, long copy, LongUnaryOperator objects) {
    ObjectHeader old = from.file().tree().header(from.address());
    Bytes value = of(old, target.transfer(from.file().contents(), objects)).value();
    ObjectTree tree = target.file().tree();
    FillValueMessage made = tree.header(copy).require(FillValueMessage.class);
    tree.replace(
        copy, new FillValueMessage(made.allocation(), made.writing(), made.state(), value));
    // Headers of the earliest format also hold the value in the old fill value message.
    tree.replace(copy, new OldFillValueMessage(value));
  }

  private static FillValueMessage older(ObjectHeader old) {
    FillValueMessage.Allocation allocation =
        switch (old.require(LayoutMessage.class)) {
          case CompactLayout _ -> FillValueMessage.Allocation.EARLY;
          case ContiguousLayout _ -> FillValueMessage.Allocation.LATE;
          default -> FillValueMessage.Allocation.INCREMENTAL;
        };
    FillValueMessage plain =
        old.find(OldFillValueMessage.class)
            .map(OldFillValueMessage::value)
            .filter(value -> value.size() > 0)
            .map(FillValueMessage::of)
            .orElseGet(FillValueMessage::zeros);
    return new FillValueMessage(allocation, plain.writing(), plain.state(), plain.value());
  }
}
