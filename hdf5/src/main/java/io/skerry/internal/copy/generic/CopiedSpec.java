package io.skerry.internal.copy.generic;

import io.skerry.DatasetSpec;
import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.Bytes;
import io.skerry.internal.copy.header.AskedChunk;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * The specification of the copy of a dataset. Local.
 *
 * @param old the specification of the dataset, with the committed datatype of the copy
 * @param path the path of the dataset, for messages
 */
record CopiedSpec(DatasetSpec old, String path) {
  /**
   * Returns the specification of a copy without changes.
   *
   * @throws UnsupportedFeatureException if the fill value refers to other data
   */
  DatasetSpec plain() {
    boolean refers =
        ElementTransfer.holdsAddresses(old.datatype())
            && old.fill()
                .filter(fill -> !HeapBytes.isZeros(MemorySegment.ofArray(fill)))
                .isPresent();
    if (refers) {
      throw new UnsupportedFeatureException(
          "copying a fill value with references or content of variable length to another store",
          path);
    }
    return old;
  }

  /**
   * Returns the specification of a copy with changed storage.
   *
   * @throws IllegalArgumentException if the dataset cannot be stored as requested
   */
  DatasetSpec changed(StorageChange change) {
    DatasetSpec plain = plain();
    checkConversion(change);
    if (change.isNone() || old.storage() == DatasetSpec.Storage.NULL) {
      return plain;
    }
    boolean needsChunks =
        change.redefinition().isPresent()
            || change.chunk().isPresent()
            || change.filters().filter(list -> !list.isEmpty()).isPresent();
    StorageChange.Layout layout = change.layout().orElseGet(() -> layout(needsChunks));
    if (needsChunks && layout != StorageChange.Layout.CHUNKED) {
      throw new IllegalArgumentException(
          "only chunks can have a shape or filters: layout=" + layout);
    }
    DatasetSpec filled = filled(change, layout);
    return switch (layout) {
      case COMPACT -> filled.compact();
      case CONTIGUOUS -> filled.contiguous();
      case CHUNKED -> chunked(filled, change);
    };
  }

  private boolean isSparse() {
    return old.storage() == DatasetSpec.Storage.SPARSE;
  }

  /** Returns whether a specification is that of a dataset with chunks. */
  static boolean isChunked(DatasetSpec spec) {
    return switch (spec.resolvedStorage()) {
      case DENSE, SPARSE, STRUCTURED -> true;
      default -> false;
    };
  }

  private void checkConversion(StorageChange change) {
    if (change.redefinition().isEmpty()) {
      return;
    }
    SparsityConversion.Kind kind = change.redefinition().get().kind();
    if (isSparse() == (kind == SparsityConversion.Kind.DENSE_TO_SPARSE)) {
      throw new IllegalArgumentException(
          "the dataset is " + (isSparse() ? "sparse" : "dense") + " already: conversion=" + kind);
    }
    if (old.shape().rank() == 0) {
      throw new IllegalArgumentException("only what has dimensions can be sparse: path=" + path);
    }
  }

  private StorageChange.Layout layout(boolean needsChunks) {
    if (needsChunks || isChunked(old)) {
      return StorageChange.Layout.CHUNKED;
    }
    return old.storage() == DatasetSpec.Storage.COMPACT
        ? StorageChange.Layout.COMPACT
        : StorageChange.Layout.CONTIGUOUS;
  }

  private DatasetSpec filled(StorageChange change, StorageChange.Layout layout) {
    Shape shape =
        layout == StorageChange.Layout.CHUNKED ? old.shape() : Shape.of(old.shape().extent());
    DatasetSpec spec = DatasetSpec.of(old.datatype(), shape).attributeOrder(old.attributeOrder());
    DatasetSpec shared = spec.sharing(old.committed());
    Optional<byte[]> fill =
        change
            .redefinition()
            .flatMap(SparsityConversion::undefined)
            .map(CopiedSpec::bytes)
            .or(old::fill);
    return fill.map(shared::fillValue).orElse(shared);
  }

  private static byte[] bytes(Bytes value) {
    return value.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  private DatasetSpec chunked(DatasetSpec filled, StorageChange change) {
    long[] chunk = chunk(change);
    boolean sparse = isSparse() != change.redefinition().isPresent();
    DatasetSpec chunks = sparse ? filled.sparse(chunk) : filled.chunked(chunk);
    if (!sparse && old.storage() == DatasetSpec.Storage.STRUCTURED) {
      chunks = filled.structured(chunk);
    }
    return chunks.withFilters(
        change
            .filters()
            .map(list -> SectionPipelines.all(new FilterPipeline(list)))
            .orElse(old.filters()));
  }

  private long[] chunk(StorageChange change) {
    if (change.chunk().isEmpty()) {
      return isChunked(old) ? old.resolvedChunk() : new long[0];
    }
    return AskedChunk.of(change.chunk().get(), old.shape());
  }
}
