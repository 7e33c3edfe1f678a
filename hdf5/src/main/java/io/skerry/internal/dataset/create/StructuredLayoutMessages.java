package io.skerry.internal.dataset.create;

import io.skerry.DatasetSpec;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.selection.Shape;
import java.util.List;

/**
 * Chooses the layout and filter messages of a new dataset with structured chunks. Variable-length
 * contents have their own section.
 */
record StructuredLayoutMessages(DatasetSpec spec) {
  List<Message> messages() {
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
    ChunkedLayout plain =
        variable
            ? ChunkedLayout.sparseVariable(spec.shape(), chunkShape, size, filtering)
            : ChunkedLayout.sparse(spec.shape(), chunkShape, size, filtering);
    ChunkedLayout layout = plain.withEdges(DatasetMessages.edges(spec));
    return bound.isFiltered()
        ? List.of(layout, SectionPipelineMessage.of(bound, sections))
        : List.of(layout);
  }
}
