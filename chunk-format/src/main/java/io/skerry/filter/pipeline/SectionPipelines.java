package io.skerry.filter.pipeline;

import io.skerry.filter.FilterTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One pipeline per section of a structured chunk: 0 the selection, 1 the values, 2 the heap of
 * variable-length values. A section without filters is stored as it is, checksum included.
 *
 * @param bySection exactly {@link #SECTIONS} pipelines, the empty one where there is none
 */
public record SectionPipelines(List<FilterPipeline> bySection) {
  /** The most sections a structured chunk has. */
  public static final int SECTIONS = 3;

  private static final SectionPipelines NONE =
      new SectionPipelines(
          List.of(FilterPipeline.none(), FilterPipeline.none(), FilterPipeline.none()));

  private static final int HEAP_UNIT = 1;

  /** Copies the list. */
  public SectionPipelines {
    bySection = List.copyOf(bySection);
    if (bySection.size() != SECTIONS) {
      throw new IllegalArgumentException(
          "pipelines: expected=" + SECTIONS + " actual=" + bySection.size());
    }
  }

  /** No filter in any section. Local, thread-safe; does not fail. */
  public static SectionPipelines none() {
    return NONE;
  }

  /** The same filters in every section. Local, thread-safe; does not fail. */
  public static SectionPipelines all(FilterPipeline pipeline) {
    return new SectionPipelines(List.of(pipeline, pipeline, pipeline));
  }

  /**
   * The same but for one section. Local, thread-safe.
   *
   * @throws IndexOutOfBoundsException if there is no such section
   */
  public SectionPipelines with(int section, FilterPipeline pipeline) {
    List<FilterPipeline> changed = new ArrayList<>(bySection);
    changed.set(section, pipeline);
    return new SectionPipelines(changed);
  }

  /**
   * The same with the filters of one section changed, as in {@code changed(1, p ->
   * p.plus(Filters.deflate(9)))}: what H5Pset_filter2, H5Pmodify_filter2 and H5Premove_filter2 do.
   * Local, thread-safe.
   *
   * @throws IndexOutOfBoundsException if there is no such section
   */
  public SectionPipelines changed(int section, UnaryOperator<FilterPipeline> change) {
    return with(section, change.apply(of(section)));
  }

  /**
   * The filters of a section. Local, thread-safe.
   *
   * @throws IndexOutOfBoundsException if there is no such section
   */
  public FilterPipeline of(int section) {
    return bySection.get(section);
  }

  /**
   * Whether any section is filtered, so that index records hold unfiltered sizes and masks. Local,
   * thread-safe; does not fail.
   */
  public boolean isFiltered() {
    return bySection.stream().anyMatch(p -> !p.isEmpty());
  }

  /**
   * These pipelines for new structured chunks; see {@link FilterPipeline#bind(FilterTarget)}.
   * Local, thread-safe.
   *
   * @param recordSize bytes of one block record of the selection (section 0)
   * @param elementSize bytes of one value (section 1); section 2 is a heap, of bytes
   * @throws IllegalArgumentException if one of the filters cannot work on sections
   */
  public SectionPipelines bind(int recordSize, int elementSize) {
    return new SectionPipelines(
        List.of(of(0).bind(recordSize), of(1).bind(elementSize), of(2).bind(HEAP_UNIT)));
  }

  /**
   * The same for pipelines as a file gives them; what cannot be bound fails when it is used. Local,
   * thread-safe.
   *
   * @throws IllegalArgumentException if an element size is less than 1
   */
  public SectionPipelines bindWherePossible(int recordSize, int elementSize) {
    FilterTarget record = FilterTarget.section(recordSize);
    FilterTarget element = FilterTarget.section(elementSize);
    return new SectionPipelines(
        List.of(
            of(0).bindWherePossible(record),
            of(1).bindWherePossible(element),
            of(2).bindWherePossible(FilterTarget.section(HEAP_UNIT))));
  }

  /** The same filters, called from another set. Local, thread-safe; does not fail. */
  public SectionPipelines withFilterSet(FilterSet filterSet) {
    return new SectionPipelines(bySection.stream().map(p -> p.withFilterSet(filterSet)).toList());
  }
}
