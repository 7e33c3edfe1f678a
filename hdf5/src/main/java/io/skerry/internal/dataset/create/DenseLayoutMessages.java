package io.skerry.internal.dataset.create;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.format.FormatBounds;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.Filtering;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** Chooses the layout and filter messages of a new dataset with dense chunks. */
record DenseLayoutMessages(DatasetSpec spec, FormatBounds bounds) {
  List<Message> messages() {
    Shape chunk = Shape.of(spec.resolvedChunk());
    FilterPipeline pipeline = pipeline(chunk);
    Filtering filtering = pipeline.isEmpty() ? Filtering.UNFILTERED : Filtering.FILTERED;
    ChunkedLayout layout = layout(chunk, filtering);
    return pipeline.isEmpty()
        ? List.of(layout)
        : List.of(layout, new FilterPipelineMessage(pipeline));
  }

  /** Returns the pipeline of the values, which are the only section of a dense chunk. */
  private FilterPipeline pipeline(Shape chunk) {
    // The default fill value consists of zeros.
    MemorySegment fill =
        spec.fill()
            .map(MemorySegment::ofArray)
            .orElseGet(() -> HeapBytes.allocate(spec.datatype().size()));
    FilterTarget target = FilterTarget.chunk(spec.datatype(), chunk.extent(), Optional.of(fill));
    return spec.filters().of(0).withFilterSet(FilterSet.installed()).bind(target);
  }

  private ChunkedLayout layout(Shape chunk, Filtering filtering) {
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
    EdgeChunks edges = DatasetMessages.edges(spec);
    return switch (bounds) {
      case EARLIEST -> ChunkedLayout.earliest(spec.shape(), chunk, size);
      case V110 -> ChunkedLayout.dense(spec.shape(), chunk, size, filtering).withEdges(edges);
      case V200 -> ChunkedLayout.newest(spec.shape(), chunk, size, filtering).withEdges(edges);
    };
  }
}
