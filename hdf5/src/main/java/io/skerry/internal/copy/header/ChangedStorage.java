package io.skerry.internal.copy.header;

import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.internal.dataset.create.DatasetMessages;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Applies a storage change to the copy of a dataset, if the dataset permits it.
 *
 * @param old the object header of the source dataset
 * @param shape the extent of the source dataset, which for a virtual dataset follows from its
 *     sources
 * @param type the datatype of the elements of the copy
 * @param change the requested change
 */
record ChangedStorage(
    ObjectLocation from, ObjectHeader old, Shape shape, Datatype type, StorageChange change) {
  /**
   * Returns the header messages of a copy with changed storage; empty if the copy keeps the storage
   * of the source dataset.
   *
   * @param fill the fill value of the copy; empty if none is defined
   * @param bounds the format version bounds of the copy
   * @throws IllegalArgumentException if the dataset cannot be stored as requested, and the change
   *     does not allow it to keep its storage
   * @throws UnsupportedFeatureException if Skerry does not support the requested storage for the
   *     dataset, and the change does not allow it to keep its storage
   */
  List<Message> messages(Optional<byte[]> fill, FormatBounds bounds) {
    if (change.fit() == StorageChange.Fit.WHERE_POSSIBLE && namesOthers()) {
      return List.of();
    }
    try {
      DataspaceMessage space = old.require(DataspaceMessage.class);
      checkRedefinition(space);
      if (change.isNone() || space.kind() != DataspaceMessage.Kind.SIMPLE) {
        return List.of();
      }
      return DatasetMessages.messages(new CopySpec(old, shape, type, change).spec(fill), bounds);
    } catch (IllegalArgumentException | UnsupportedFeatureException e) {
      if (change.fit() == StorageChange.Fit.WHERE_POSSIBLE) {
        return List.of();
      }
      throw e;
    }
  }

  /** Returns whether the elements are in other files or in other datasets. */
  private boolean namesOthers() {
    return old.has(ExternalFilesMessage.class)
        || old.require(LayoutMessage.class) instanceof VirtualLayoutMessage;
  }

  private void checkRedefinition(DataspaceMessage space) {
    if (change.redefinition().isEmpty()) {
      return;
    }
    boolean sparse =
        old.require(LayoutMessage.class) instanceof ChunkedLayout c && c.form().isStructured();
    SparsityConversion.Kind kind = change.redefinition().get().kind();
    if (sparse == (kind == SparsityConversion.Kind.DENSE_TO_SPARSE)) {
      throw new IllegalArgumentException(
          "the dataset is " + (sparse ? "sparse" : "dense") + " already: conversion=" + kind);
    }
    if (space.kind() != DataspaceMessage.Kind.SIMPLE) {
      throw new IllegalArgumentException("only what has dimensions can be sparse: " + space);
    }
    boolean filled =
        old.find(FillValueMessage.class)
            .flatMap(FillValueMessage::userValue)
            .filter(value -> !isZeros(value))
            .isPresent();
    if (filled && ElementTransfer.holdsHeap(type)) {
      throw new UnsupportedFeatureException(
          "a fill value with content of variable length that stands for no element",
          from.toString());
    }
  }

  private static boolean isZeros(Bytes value) {
    return HeapBytes.isZeros(value.segment());
  }
}
