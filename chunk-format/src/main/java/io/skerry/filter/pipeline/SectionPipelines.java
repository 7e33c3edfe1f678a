package io.skerry.filter.pipeline;

import io.skerry.filter.FilterTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The pipelines of the sections of a structured chunk: 0 for the selection, 1 for the values, 2 for
 * the heap of variable-length values. A section without filters is stored unchanged, including its
 * checksum.
 *
 * @param bySection exactly {@link #SECTIONS} pipelines, empty ones for sections without filters
 */
public record SectionPipelines(List<FilterPipeline> bySection) {
  /** The maximum number of sections in a structured chunk. */
  public static final int SECTIONS = 3;

  private static final SectionPipelines NONE =
      new SectionPipelines(
          List.of(FilterPipeline.none(), FilterPipeline.none(), FilterPipeline.none()));

  private static final int HEAP_UNIT = 1;

  /**
   * Creates the pipelines. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number of pipelines is not {@link #SECTIONS}
   */
  public SectionPipelines {
    bySection = List.copyOf(bySection);
    if (bySection.size() != SECTIONS) {
      throw new IllegalArgumentException(
          "pipelines: expected=" + SECTIONS + " actual=" + bySection.size());
    }
  }

  /** Returns empty pipelines for all sections. Local, thread-safe; does not fail. */
  public static SectionPipelines none() {
    return NONE;
  }

  /**
   * Returns pipelines that apply the given pipeline to every section. Local, thread-safe; does not
   * fail.
   */
  public static SectionPipelines all(FilterPipeline pipeline) {
    return new SectionPipelines(List.of(pipeline, pipeline, pipeline));
  }

  /**
   * Returns these pipelines with the pipeline of one section replaced. Local, thread-safe.
   *
   * @param section the number of the section, 0 to 2
   * @param pipeline the new pipeline of the section
   * @throws IndexOutOfBoundsException if there is no such section
   */
  public SectionPipelines with(int section, FilterPipeline pipeline) {
    List<FilterPipeline> changed = new ArrayList<>(bySection);
    changed.set(section, pipeline);
    return new SectionPipelines(changed);
  }

  /**
   * Returns these pipelines with the filters of one section changed, as in {@code changed(1, p ->
   * p.plus(Filters.deflate(9)))}; corresponds to H5Pset_filter2, H5Pmodify_filter2 and
   * H5Premove_filter2. Local, thread-safe.
   *
   * @param section the number of the section, 0 to 2
   * @param change the function that returns the new pipeline; its exceptions are passed on
   * @throws IndexOutOfBoundsException if there is no such section
   */
  public SectionPipelines changed(int section, UnaryOperator<FilterPipeline> change) {
    return with(section, change.apply(of(section)));
  }

  /**
   * Returns the pipeline of a section. Local, thread-safe.
   *
   * @param section the number of the section, 0 to 2
   * @throws IndexOutOfBoundsException if there is no such section
   */
  public FilterPipeline of(int section) {
    return bySection.get(section);
  }

  /**
   * Returns whether any section is filtered. If so, index records contain unfiltered sizes and
   * filter masks. Local, thread-safe; does not fail.
   */
  public boolean isFiltered() {
    return bySection.stream().anyMatch(p -> !p.isEmpty());
  }

  /**
   * Completes the client data of all filters for new structured chunks; see {@link
   * FilterPipeline#bind(FilterTarget)}. Local, thread-safe.
   *
   * @param recordSize size of a block record of the selection (section 0), in bytes
   * @param elementSize size of a value (section 1), in bytes; section 2 is a heap of bytes
   * @throws IllegalArgumentException if a size is less than 1, a filter cannot be applied to
   *     sections, or its client data is invalid
   */
  public SectionPipelines bind(int recordSize, int elementSize) {
    return new SectionPipelines(
        List.of(of(0).bind(recordSize), of(1).bind(elementSize), of(2).bind(HEAP_UNIT)));
  }

  /**
   * Completes missing client data of pipelines that were read from a file, where this is possible.
   * Filters whose client data remains incomplete fail when they are applied. Local, thread-safe.
   *
   * @param recordSize size of a block record of the selection (section 0), in bytes
   * @param elementSize size of a value (section 1), in bytes
   * @throws IllegalArgumentException if a size is less than 1, or a filter finds its client data
   *     invalid
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

  /**
   * Returns these pipelines with a different set of installed filters. Local, thread-safe; does not
   * fail.
   */
  public SectionPipelines withFilterSet(FilterSet filterSet) {
    return new SectionPipelines(bySection.stream().map(p -> p.withFilterSet(filterSet)).toList());
  }
}
