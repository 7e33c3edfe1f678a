package io.skerry.internal.dataset.create;

import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The filters that the object header of a dataset specifies for its chunks. */
public record DatasetFilters(ObjectHeader header) {
  /**
   * The treatment of chunks that compression does not make smaller: dense chunks never skip a
   * filter, since HDF5 up to 2.0.0 can damage a chunk with a skipped filter. If HDF5 rewrites such
   * a chunk and its filtered size equals the previously stored size, the index keeps the record
   * with the old mask, and the chunk is read without undoing the filters.
   */
  public static final Filter.Growth DENSE_GROWTH = Filter.Growth.STORED;

  /** Returns the pipeline of dense chunks, with the installed filters. */
  public FilterPipeline pipeline() {
    return header
        .find(FilterPipelineMessage.class)
        .map(FilterPipelineMessage::pipeline)
        .orElseGet(FilterPipeline::none)
        .withFilterSet(FilterSet.installed());
  }

  /** Returns the pipelines of the sections of structured chunks, with the installed filters. */
  public SectionPipelines sections() {
    return header
        .find(SectionPipelineMessage.class)
        .map(SectionPipelineMessage::pipelines)
        .orElseGet(SectionPipelines::none)
        .withFilterSet(FilterSet.installed());
  }

  /** Returns whether chunks of a layout are filtered. */
  public Filtering filtering(ChunkedLayout layout) {
    boolean filtered =
        layout.form().isStructured() ? sections().isFiltered() : !pipeline().isEmpty();
    return filtered ? Filtering.FILTERED : Filtering.UNFILTERED;
  }

  /**
   * Returns the pipelines as the header specifies them; unlike {@link #pipeline} and {@link
   * #sections}, does not attach the set of installed filters. A single pipeline applies to all
   * sections. Empty if the header has no message with filters.
   */
  public Optional<SectionPipelines> specified() {
    return ofSections()
        .map(SectionPipelineMessage::pipelines)
        .or(() ->
            header
                .find(FilterPipelineMessage.class)
                .map(message -> SectionPipelines.all(message.pipeline())));
  }

  /** Returns whether another header specifies the same filters, with equal parameters. */
  public boolean areSameAs(DatasetFilters other) {
    return nonEmpty().equals(other.nonEmpty());
  }

  private List<List<FilterSpec>> nonEmpty() {
    List<List<FilterSpec>> filters = new ArrayList<>();
    header
        .find(FilterPipelineMessage.class)
        .map(message -> message.pipeline().filters())
        .filter(list -> !list.isEmpty())
        .ifPresent(filters::add);
    ofSections()
        .filter(message -> message.pipelines().isFiltered())
        .ifPresent(message ->
            message.pipelines().bySection().forEach(section -> filters.add(section.filters())));
    return filters;
  }

  /** Returns the message with the section pipelines; it applies only to structured chunks. */
  private Optional<SectionPipelineMessage> ofSections() {
    boolean structured =
        header
            .find(LayoutMessage.class)
            .filter(layout -> layout instanceof ChunkedLayout c && c.form().isStructured())
            .isPresent();
    return structured ? header.find(SectionPipelineMessage.class) : Optional.empty();
  }
}
