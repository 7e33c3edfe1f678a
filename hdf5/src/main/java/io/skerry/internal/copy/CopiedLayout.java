package io.skerry.internal.copy;

import io.skerry.DatasetSpec;
import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayout;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.format.symboltable.LocalHeap;
import io.skerry.internal.dataset.open.ChunkFormatReader;
import io.skerry.internal.dataset.open.ChunkedOpener;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Makes the messages for the storage of the copy of a dataset: the same storage, or a changed one.
 * Every rank makes the same messages.
 */
final class CopiedLayout {
  private static final long MANY_CHUNKS = 1 << 16;

  /**
   * The approximate ratio of the bytes for a chunk in a B-tree to those for an element of an array
   * index.
   */
  private static final long SCATTERED = 16;

  private final ObjectLocation from;
  private final ObjectHeader old;
  private final Datatype type;
  private final CopyTarget target;

  /**
   * Makes the layout of a copy.
   *
   * @param old the header of the dataset
   * @param type the datatype of the elements of the copy
   */
  CopiedLayout(ObjectLocation from, ObjectHeader old, Datatype type, CopyTarget target) {
    this.from = from;
    this.old = old;
    this.type = type;
    this.target = target;
  }

  /** Returns layout and pipelines of a copy with the storage of the dataset. */
  List<Message> same() {
    DataspaceMessage space = old.require(DataspaceMessage.class);
    List<Message> messages = new ArrayList<>();
    switch (old.require(LayoutMessage.class)) {
      case CompactLayout _ ->
          messages.add(new CompactLayout(Bytes.of(HeapBytes.allocate(bytes(space)))));
      case ContiguousLayout _ -> {
        messages.add(new ContiguousLayout(FileAddress.UNDEFINED, bytes(space)));
        old.find(ExternalFilesMessage.class).map(this::external).ifPresent(messages::add);
      }
      case ChunkedLayout chunked -> chunked(chunked, space.shape(), messages);
      case VirtualLayout(long heap, long index) -> messages.add(virtual(heap, index));
    }
    return messages;
  }

  private long bytes(DataspaceMessage space) {
    long elements = space.elements();
    if (elements > Long.MAX_VALUE / type.size()) {
      throw new FormatException("bytes of a dataset", "below 2^63", elements + " elements");
    }
    return elements * type.size();
  }

  private void chunked(ChunkedLayout layout, Shape shape, List<Message> messages) {
    Optional<FilterPipelineMessage> filters = old.find(FilterPipelineMessage.class);
    Optional<SectionPipelineMessage> sections = old.find(SectionPipelineMessage.class);
    boolean filtered =
        filters.filter(f -> !f.pipeline().isEmpty()).isPresent()
            || sections.filter(s -> s.pipelines().isFiltered()).isPresent();
    Filtering filtering = filtered ? Filtering.FILTERED : Filtering.UNFILTERED;
    if (layout.form().isStructured()) {
      ChunkedLayout copy =
          layout.form() == LayoutForm.SPARSE_VARIABLE
              ? ChunkedLayout.sparseVariable(shape, layout.chunk(), type.size(), filtering)
              : ChunkedLayout.sparse(shape, layout.chunk(), type.size(), filtering);
      messages.add(copy.withEdges(layout.edges()));
      sections.ifPresent(messages::add);
    } else {
      messages.add(dense(layout, shape, filtering));
      filters.ifPresent(messages::add);
    }
  }

  /**
   * Makes the layout of dense chunks. All forms but the earliest can leave edge chunks unfiltered.
   */
  private ChunkedLayout dense(ChunkedLayout layout, Shape shape, Filtering filtering) {
    return switch (scattered(layout, shape) ? FormatBounds.EARLIEST : target.bounds()) {
      case EARLIEST -> ChunkedLayout.earliest(shape, layout.chunk(), type.size());
      case V110 ->
          ChunkedLayout.dense(shape, layout.chunk(), type.size(), filtering)
              .withEdges(layout.edges());
      case V200 ->
          ChunkedLayout.newest(shape, layout.chunk(), type.size(), filtering)
              .withEdges(layout.edges());
    };
  }

  /**
   * Returns whether there are so few chunks in so large an extent that a B-tree, which every HDF5
   * version reads, is much smaller than an array index with an entry for each chunk.
   */
  private boolean scattered(ChunkedLayout layout, Shape shape) {
    long positions = 1;
    for (int d = 0; d < shape.rank(); d++) {
      if (shape.maximum(d) == Shape.UNLIMITED) {
        return false;
      }
      long along = Math.ceilDiv(shape.maximum(d), layout.chunk().extent(d));
      positions =
          along > 0 && positions > Long.MAX_VALUE / along ? Long.MAX_VALUE : positions * along;
    }
    if (positions < MANY_CHUNKS || layout.edges() != EdgeChunks.FILTERED) {
      return false;
    }
    long[] stored = {0};
    ChunkedOpener.unshared(from.file(), ObjectPath.of("to be copied"), old)
        .index()
        .forEachRecord(from.file().tree().source(), (_, _) -> stored[0]++);
    return stored[0] < positions / SCATTERED;
  }

  /** Copies the names of the external files into a local heap of the copy. */
  private ExternalFilesMessage external(ExternalFilesMessage message) {
    LocalHeap names =
        LocalHeap.open(
            from.file().tree().source(), from.file().tree().widths(), message.heapAddress());
    // HDF5 expects the empty string at offset 0.
    ByteWriter data = ByteWriter.create().zeros(8);
    List<ExternalFilesMessage.Slot> slots = new ArrayList<>();
    for (ExternalFilesMessage.Slot slot : message.slots()) {
      slots.add(new ExternalFilesMessage.Slot(data.position(), slot.offset(), slot.size()));
      data.text(names.text(slot.nameOffset())).u8(0);
      data.zeros(Math.floorMod(-data.position(), 8));
    }
    SpaceAllocator space = target.file().collective().space();
    Block header = space.allocateBlock(LocalHeap.headerSize(target.widths()));
    Block body = space.allocateBlock(data.position());
    target.store(LocalHeap.image(header.address(), body, target.widths()));
    target.store(new BlockImage(body.address(), BlockKind.LOCAL_HEAP, data.written()));
    return new ExternalFilesMessage(header.address(), slots);
  }

  private VirtualLayout virtual(long heap, long index) {
    if (!FileAddress.isDefined(heap)) {
      return new VirtualLayout(FileAddress.UNDEFINED, 0);
    }
    if (target.widths().length() != from.file().tree().widths().length()) {
      throw new UnsupportedFeatureException(
          "copying virtual mappings into a file with lengths of another width",
          target.file().path().toString());
    }
    if (index < 1 || index > 0xffff) {
      throw new FormatException("index of a heap object", "1 to 65535", index);
    }
    GlobalHeapWriter.Reference at =
        target.heap().add(from.file().contents().heapObject(heap, (int) index));
    return new VirtualLayout(at.collection(), at.index());
  }

  /**
   * Returns the specification of a copy with changed storage; empty if the storage does not change.
   *
   * @throws IllegalArgumentException if the dataset cannot be stored as requested
   */
  Optional<DatasetSpec> changed(StorageChange change, Optional<byte[]> fill) {
    DataspaceMessage space = old.require(DataspaceMessage.class);
    Shape shape = space.shape();
    checkRedefinition(change, space);
    if (change.isNone() || space.kind() != DataspaceMessage.Kind.SIMPLE) {
      return Optional.empty();
    }
    LayoutMessage layout = old.require(LayoutMessage.class);
    DatasetSpec plain =
        fill.map(DatasetSpec.of(type, shape)::fillValue).orElse(DatasetSpec.of(type, shape));
    boolean wasSparse = layout instanceof ChunkedLayout c && c.form().isStructured();
    boolean sparse = wasSparse != change.redefinition().isPresent();
    StorageChange.Layout kind = kind(change, layout);
    if (kind != StorageChange.Layout.CHUNKED) {
      if (sparse) {
        throw new IllegalArgumentException("a sparse dataset needs chunks: layout=" + kind);
      }
      Shape fixed = Shape.of(shape.extent());
      DatasetSpec flat =
          fill.map(DatasetSpec.of(type, fixed)::fillValue).orElse(DatasetSpec.of(type, fixed));
      return Optional.of(kind == StorageChange.Layout.COMPACT ? flat.compact() : flat.contiguous());
    }
    long[] chunk = chunk(change, layout, shape);
    DatasetSpec chunks = sparse ? plain.sparse(chunk) : plain.chunked(chunk);
    if (sparse && wasSparse && ChunkFormatReader.isDense(old)) {
      chunks = plain.structured(chunk);
    }
    return Optional.of(chunks.withFilters(pipelines(change, chunk, layout)));
  }

  /** Returns whether the elements are in other files or in other datasets. */
  boolean namesOthers() {
    return old.has(ExternalFilesMessage.class)
        || old.require(LayoutMessage.class) instanceof VirtualLayout;
  }

  private void checkRedefinition(StorageChange change, DataspaceMessage space) {
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

  private static StorageChange.Layout kind(StorageChange change, LayoutMessage layout) {
    boolean needsChunks =
        change.redefinition().isPresent()
            || change.chunk().isPresent()
            || change.filters().filter(f -> !f.isEmpty()).isPresent();
    if (change.layout().isPresent()) {
      if (needsChunks && change.layout().get() != StorageChange.Layout.CHUNKED) {
        throw new IllegalArgumentException(
            "only chunks can have a shape or filters: layout=" + change.layout().get());
      }
      return change.layout().get();
    }
    if (needsChunks || layout instanceof ChunkedLayout) {
      return StorageChange.Layout.CHUNKED;
    }
    return layout instanceof CompactLayout
        ? StorageChange.Layout.COMPACT
        : StorageChange.Layout.CONTIGUOUS;
  }

  private static long[] chunk(StorageChange change, LayoutMessage layout, Shape shape) {
    if (change.chunk().isEmpty()) {
      return layout instanceof ChunkedLayout chunked ? chunked.chunk().extent() : new long[0];
    }
    long[] chunk = change.chunk().get().stream().mapToLong(Long::longValue).toArray();
    if (chunk.length != shape.rank()) {
      throw new IllegalArgumentException(
          "a chunk needs one size per dimension: chunk="
              + Arrays.toString(chunk)
              + " shape="
              + shape);
    }
    for (int d = 0; d < chunk.length; d++) {
      if (shape.maximum(d) != Shape.UNLIMITED) {
        chunk[d] = Math.min(chunk[d], Math.max(1, shape.maximum(d)));
      }
    }
    return chunk;
  }

  private SectionPipelines pipelines(StorageChange change, long[] chunk, LayoutMessage layout) {
    if (change.filters().isPresent()) {
      return SectionPipelines.all(new FilterPipeline(change.filters().get()));
    }
    boolean sameChunk =
        layout instanceof ChunkedLayout chunked && Arrays.equals(chunked.chunk().extent(), chunk);
    Optional<SectionPipelines> stored =
        old.find(SectionPipelineMessage.class)
            .map(SectionPipelineMessage::pipelines)
            .or(() ->
                old.find(FilterPipelineMessage.class)
                    .map(message -> SectionPipelines.all(message.pipeline())));
    SectionPipelines kept = stored.orElseGet(SectionPipelines::none);
    return sameChunk
        ? kept
        : new SectionPipelines(kept.bySection().stream().map(StorageChange::unbound).toList());
  }

  /** Returns whether two headers specify the same filters for chunks, with equal parameters. */
  static boolean samePipelines(ObjectHeader one, ObjectHeader other) {
    return filters(one).equals(filters(other));
  }

  private static List<List<FilterSpec>> filters(ObjectHeader header) {
    List<List<FilterSpec>> filters = new ArrayList<>();
    header
        .find(FilterPipelineMessage.class)
        .map(message -> message.pipeline().filters())
        .filter(list -> !list.isEmpty())
        .ifPresent(filters::add);
    header
        .find(SectionPipelineMessage.class)
        .filter(message -> message.pipelines().isFiltered())
        .ifPresent(message ->
            message.pipelines().bySection().forEach(section -> filters.add(section.filters())));
    return filters;
  }
}
