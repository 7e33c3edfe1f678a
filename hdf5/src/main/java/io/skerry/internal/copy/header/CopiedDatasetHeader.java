package io.skerry.internal.copy.header;

import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.selection.Shape;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Creates the header messages of a copied dataset.
 *
 * @param old the object header of the source dataset
 * @param shape the extent of the source dataset, which for a virtual dataset follows from its
 *     sources
 * @param change the storage change to apply to the copy
 */
record CopiedDatasetHeader(
    ObjectLocation from,
    ObjectHeader old,
    Shape shape,
    StorageChange change,
    CopyTarget target,
    CopiedTypes types) {
  /**
   * Returns the messages.
   *
   * @param fill the transfer that copies the fill value, and the data to which it refers, to the
   *     target file
   */
  List<HeaderMessage> messages(ElementTransfer fill) {
    DatatypeMessage type = types.type(from.file(), old.require(DatatypeMessage.class));
    Optional<FillValueMessage> undefined =
        change.redefinition().flatMap(SparsityConversion::undefined).map(FillValueMessage::of);
    FillValueMessage value = undefined.orElseGet(() -> CopiedFillValue.of(old, fill));
    List<Message> changed = changed(type, value);
    DataspaceMessage space = old.require(DataspaceMessage.class);
    List<Message> stored = new ArrayList<>();
    if (changed.isEmpty()) {
      stored.addAll(new CopiedLayout(from.file(), old, type.datatype(), target).messages());
      if (undefined.isPresent()) {
        // A dataset that keeps its storage also keeps its fill value.
        value = CopiedFillValue.of(old, fill);
      }
    }
    for (Message message : changed) {
      switch (message) {
        case DataspaceMessage other -> space = other;
        case DatatypeMessage _, OldFillValueMessage _ -> {}
        case FillValueMessage other -> value = merged(other, value);
        default -> stored.add(message);
      }
    }
    List<HeaderMessage> entries = new ArrayList<>();
    entries.add(HeaderMessage.of(space));
    entries.add(shared(type));
    entries.add(HeaderMessage.of(value));
    if (target.isEarly()) {
      value.userValue().ifPresent(v -> entries.add(HeaderMessage.of(new OldFillValueMessage(v))));
    }
    stored.forEach(message -> entries.add(HeaderMessage.of(message)));
    return entries;
  }

  private List<Message> changed(DatatypeMessage type, FillValueMessage value) {
    Optional<byte[]> fill = value.userValue().map(v -> v.segment().toArray(ValueLayout.JAVA_BYTE));
    return new ChangedStorage(from, old, shape, type.datatype(), change)
        .messages(fill, target.bounds());
  }

  /** Returns the datatype message, which may be a reference to a committed datatype. */
  private HeaderMessage shared(DatatypeMessage type) {
    return old.sharedReference(DatatypeMessage.class)
        .flatMap(reference -> types.committed(from.file(), reference))
        .map(reference -> HeaderMessage.shared(type, reference))
        .orElseGet(() -> HeaderMessage.of(type));
  }

  /**
   * Merges the fill value message of the changed storage with that of the copy. In structured
   * chunks, the fill value write time distinguishes sparse from dense storage, so a conversion
   * between dense and sparse storage uses the new write time; other changes keep the old one.
   */
  private FillValueMessage merged(FillValueMessage changed, FillValueMessage old) {
    return new FillValueMessage(
        changed.allocation(),
        change.redefinition().isPresent() ? changed.writing() : old.writing(),
        old.state(),
        old.value());
  }
}
