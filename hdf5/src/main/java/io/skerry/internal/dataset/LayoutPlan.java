package io.skerry.internal.dataset;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.FileAddress;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.Filtering;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FillValueMessage.Allocation;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses the header messages of a new dataset. */
public final class LayoutPlan {
  private final DatasetSpec spec;
  private final FormatBounds bounds;
  private final List<Message> messages = new ArrayList<>();

  private LayoutPlan(DatasetSpec spec, FormatBounds bounds) {
    this.spec = spec;
    this.bounds = bounds;
  }

  /**
   * Returns the header messages of a new dataset.
   *
   * @param bounds the format version bounds, which select the form of the messages; sparse datasets
   *     have only one form
   */
  public static List<Message> messages(DatasetSpec spec, FormatBounds bounds) {
    LayoutPlan plan = new LayoutPlan(spec, bounds);
    DatasetSpec.Storage storage = spec.resolvedStorage();
    plan.messages.add(
        storage == DatasetSpec.Storage.NULL
            ? DataspaceMessage.empty()
            : DataspaceMessage.of(spec.shape()));
    plan.messages.add(DatatypeMessage.of(spec.datatype()));
    switch (storage) {
      case NULL -> plan.contiguous(0);
      case CONTIGUOUS -> plan.contiguous(spec.bytes());
      case COMPACT -> plan.compact();
      case DENSE -> plan.dense();
      case SPARSE -> plan.structured(FillValueMessage.Writing.IF_SET);
      case STRUCTURED -> plan.structured(FillValueMessage.Writing.ON_ALLOCATION);
      case AUTOMATIC -> throw new IllegalStateException("the storage is not resolved");
    }
    return plan.messages;
  }

  private void fill(Allocation allocation) {
    fill(allocation, FillValueMessage.Writing.IF_SET);
  }

  private void fill(Allocation allocation, FillValueMessage.Writing writing) {
    FillValueMessage plain =
        spec.fill()
            .map(value -> FillValueMessage.of(Bytes.of(MemorySegment.ofArray(value))))
            .orElseGet(FillValueMessage::zeros);
    messages.add(
        switch (spec.filling()) {
          case VALUE -> new FillValueMessage(allocation, writing, plain.state(), plain.value());
          case NEVER ->
              new FillValueMessage(
                  allocation, FillValueMessage.Writing.NEVER, plain.state(), plain.value());
          case UNDEFINED ->
              new FillValueMessage(
                  allocation, writing, FillValueMessage.State.UNDEFINED, plain.value());
        });
    if (bounds == FormatBounds.EARLIEST) {
      // Readers of the earliest versions know only the old fill value message.
      plain.userValue().ifPresent(value -> messages.add(new OldFillValueMessage(value)));
    }
  }

  private void contiguous(long bytes) {
    fill(Allocation.LATE);
    messages.add(new ContiguousLayout(FileAddress.UNDEFINED, bytes));
  }

  private void compact() {
    fill(Allocation.EARLY);
    int size = spec.datatype().size();
    MemorySegment data = HeapBytes.allocate(spec.shape().elements() * size);
    spec.fill()
        .ifPresent(value -> {
          for (long at = 0; at < data.byteSize(); at += size) {
            MemorySegment.copy(MemorySegment.ofArray(value), 0, data, at, size);
          }
        });
    messages.add(new CompactLayout(Bytes.of(data)));
  }

  private void dense() {
    boolean early = spec.allocation() == DatasetSpec.Allocation.EARLY;
    fill(early ? Allocation.EARLY : Allocation.INCREMENTAL);
    Shape chunk = Shape.of(spec.resolvedChunk());
    // A dense chunk has one section, its values; the default fill value is zeros.
    MemorySegment fill =
        spec.fill()
            .map(MemorySegment::ofArray)
            .orElseGet(() -> HeapBytes.allocate(spec.datatype().size()));
    FilterTarget target = FilterTarget.chunk(spec.datatype(), chunk.extent(), Optional.of(fill));
    var pipeline = spec.filters().of(0).withFilterSet(FilterSet.installed()).bind(target);
    Filtering filtering = pipeline.isEmpty() ? Filtering.UNFILTERED : Filtering.FILTERED;
    messages.add(denseLayout(chunk, filtering));
    if (!pipeline.isEmpty()) {
      messages.add(new FilterPipelineMessage(pipeline));
    }
  }

  private ChunkedLayout denseLayout(Shape chunk, Filtering filtering) {
    int size = spec.datatype().size();
    if (bounds == FormatBounds.EARLIEST && spec.edges() == DatasetSpec.Edges.UNFILTERED) {
      throw new UnsupportedFeatureException(
          "unfiltered chunks at the edge in the earliest form", "a dataset of " + spec.shape());
    }
    if (spec.allocation() == DatasetSpec.Allocation.EARLY) {
      if (bounds == FormatBounds.EARLIEST) {
        throw new UnsupportedFeatureException(
            "early allocation of chunks in the earliest form", "a dataset of " + spec.shape());
      }
      return ChunkedLayout.implicit(spec.shape(), chunk, size);
    }
    return switch (bounds) {
      case EARLIEST -> ChunkedLayout.earliest(spec.shape(), chunk, size);
      case V110 -> ChunkedLayout.dense(spec.shape(), chunk, size, filtering).withEdges(edges());
      case V200 -> ChunkedLayout.newest(spec.shape(), chunk, size, filtering).withEdges(edges());
    };
  }

  private EdgeChunks edges() {
    return switch (spec.edges()) {
      case FILTERED -> EdgeChunks.FILTERED;
      case UNFILTERED -> EdgeChunks.UNFILTERED;
    };
  }

  /** Adds the messages of structured chunks; contents of variable length have their own section. */
  private void structured(FillValueMessage.Writing writing) {
    fill(Allocation.INCREMENTAL, writing);
    long[] chunk = spec.resolvedChunk();
    int size = spec.datatype().size();
    SectionPipelines filters =
        spec.filters()
            .withFilterSet(FilterSet.installed())
            .bind(SelectionCodec.blockRecordBytes(chunk, spec.encoding()), size);
    boolean variable = !VariableLengthParts.of(spec.datatype()).isNone();
    int sections = variable ? 3 : 2;
    SectionPipelines bound = variable ? filters : filters.with(2, FilterPipeline.none());
    Filtering filtering = bound.isFiltered() ? Filtering.FILTERED : Filtering.UNFILTERED;
    Shape chunkShape = Shape.of(chunk);
    ChunkedLayout layout =
        variable
            ? ChunkedLayout.sparseVariable(spec.shape(), chunkShape, size, filtering)
            : ChunkedLayout.sparse(spec.shape(), chunkShape, size, filtering);
    messages.add(layout.withEdges(edges()));
    if (bound.isFiltered()) {
      messages.add(SectionPipelineMessage.of(bound, sections));
    }
  }
}
