package io.skerry.filter.pipeline;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.filter.basic.ShuffleFilter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A filter pipeline: the filters in the order in which a write applies them. A read undoes them in
 * the reverse order. Immutable.
 *
 * <p>A pipeline may contain filters that are not installed, for example because a service provider
 * could not be loaded ({@link FilterSet#brokenProviders}); the dataset can still be opened. A write
 * skips such a filter if it is optional and fails if it is mandatory. A read fails if the filter
 * was applied.
 *
 * @param filters the filters, at most 32, one for each bit of the mask
 * @param filterSet the installed filters, which apply the specifications
 * @param growth the treatment of data that an optional compressor does not make smaller
 */
public record FilterPipeline(List<FilterSpec> filters, FilterSet filterSet, Filter.Growth growth) {
  private static final FilterPipeline NONE = new FilterPipeline(List.of());

  /** The maximum number of filters: the filter mask is an int with one bit for each filter. */
  private static final int MAX_FILTERS = 32;

  /** The maximum size, in bytes, for which {@link Filter#maxEncoded} is called. */
  private static final long MAX_BOUNDED = 1L << 48;

  /**
   * Creates a pipeline. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there are more than 32 filters
   */
  public FilterPipeline {
    filters = List.copyOf(filters);
    if (filters.size() > MAX_FILTERS) {
      throw new IllegalArgumentException(
          "too many filters: filters=" + filters.size() + " limit=" + MAX_FILTERS);
    }
  }

  /**
   * Creates a pipeline of standard filters that skips optional compressors when they do not make
   * the data smaller. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there are more than 32 filters
   */
  public FilterPipeline(List<FilterSpec> filters) {
    this(filters, FilterSet.standard(), Filter.Growth.SKIPPED);
  }

  /**
   * Returns a pipeline of standard filters that skips optional compressors when they do not make
   * the data smaller. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there are more than 32 filters
   */
  public static FilterPipeline of(FilterSpec... filters) {
    return new FilterPipeline(List.of(filters));
  }

  /** Returns the pipeline without filters. Local, thread-safe; does not fail. */
  public static FilterPipeline none() {
    return NONE;
  }

  /**
   * Returns this pipeline with a different treatment of data that a compressor does not make
   * smaller. Local, thread-safe; does not fail.
   */
  public FilterPipeline withGrowth(Filter.Growth newGrowth) {
    return new FilterPipeline(filters, filterSet, newGrowth);
  }

  /**
   * Returns this pipeline with a different set of installed filters. Local, thread-safe; does not
   * fail.
   */
  public FilterPipeline withFilterSet(FilterSet newFilterSet) {
    return new FilterPipeline(filters, newFilterSet, growth);
  }

  /** Returns whether there are no filters. Local, thread-safe; does not fail. */
  public boolean isEmpty() {
    return filters.isEmpty();
  }

  /**
   * Returns the first filter with the given number; empty if there is none. Local, thread-safe;
   * does not fail.
   */
  public Optional<FilterSpec> find(int id) {
    return filters.stream().filter(filter -> filter.id() == id).findFirst();
  }

  /**
   * Returns this pipeline with a filter added at the end. Local, thread-safe.
   *
   * @throws IllegalArgumentException if this pipeline has 32 filters already
   */
  public FilterPipeline plus(FilterSpec filter) {
    return with(Stream.concat(filters.stream(), Stream.of(filter)).toList());
  }

  /**
   * Returns this pipeline with the given specification in place of every filter that has the same
   * number. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there is no filter with that number
   */
  public FilterPipeline modified(FilterSpec filter) {
    checkHas(filter.id());
    return with(filters.stream().map(old -> old.id() == filter.id() ? filter : old).toList());
  }

  /**
   * Returns this pipeline without the filters that have the given number. Local, thread-safe.
   *
   * @throws IllegalArgumentException if there is no filter with that number
   */
  public FilterPipeline minus(int id) {
    checkHas(id);
    return with(filters.stream().filter(old -> old.id() != id).toList());
  }

  private FilterPipeline with(List<FilterSpec> others) {
    return new FilterPipeline(others, filterSet, growth);
  }

  private void checkHas(int id) {
    if (find(id).isEmpty()) {
      throw new IllegalArgumentException("no such filter: id=" + id + " filters=" + filters);
    }
  }

  /**
   * Completes the client data of all installed filters for a new dataset. Local, thread-safe.
   *
   * @param target the data to which the filters will be applied
   * @throws IllegalArgumentException if a filter cannot be applied to the data, or its client data
   *     is invalid
   * @throws ArithmeticException if a chunk has more than 2^63-1 elements and a filter depends on
   *     their number
   */
  public FilterPipeline bind(FilterTarget target) {
    return bound(spec ->
        bind(spec, target)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "filter cannot be applied: filter=" + spec + " to=" + target)));
  }

  /**
   * Completes the client data of all installed filters for a section of structured chunks. Local,
   * thread-safe.
   *
   * @param elementSize size of an element of the section, in bytes, at least 1
   * @throws IllegalArgumentException if the size is less than 1, if a filter cannot be applied to
   *     sections, or if its client data is invalid
   */
  public FilterPipeline bind(int elementSize) {
    return bind(FilterTarget.section(elementSize));
  }

  /**
   * Completes missing client data of a pipeline that was read from a file, where this is possible.
   * Filters whose client data remains incomplete fail when they are applied. Local, thread-safe.
   *
   * @param target the data to which the filters are applied
   * @throws IllegalArgumentException if a filter finds its client data invalid
   * @throws ArithmeticException if a chunk has more than 2^63-1 elements and a filter depends on
   *     their number
   */
  public FilterPipeline bindWherePossible(FilterTarget target) {
    return bound(spec -> bind(spec, target).orElse(spec));
  }

  private FilterPipeline bound(UnaryOperator<FilterSpec> each) {
    return new FilterPipeline(filters.stream().map(each).toList(), filterSet, growth);
  }

  private Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    Optional<Filter> filter = filterSet.find(spec.id());
    return filter.isPresent() ? filter.get().bind(spec, target) : Optional.of(spec);
  }

  /**
   * The result of {@link #apply}.
   *
   * @param bytes the filtered bytes; the input itself if no filter was applied
   * @param mask bit i set if filter i was skipped
   */
  public record Encoded(MemorySegment bytes, int mask) {}

  /**
   * Applies the filters. The input is not changed; the result may be a view of it. Local,
   * thread-safe.
   *
   * @param in the unfiltered bytes
   * @return the filtered bytes and the mask of the skipped filters
   * @throws UnsupportedFeatureException if a mandatory filter is not installed or cannot be
   *     applied, or the client data of a filter requests a variant that the filter does not support
   * @throws IllegalArgumentException if the client data of a filter is incomplete, because {@link
   *     #bind(FilterTarget)} was not called
   * @throws FormatException if the client data of a filter is complete but invalid, or does not fit
   *     the number of bytes
   * @throws io.skerry.exception.MemoryLimitException if the memory is insufficient
   */
  public Encoded apply(MemorySegment in) {
    try {
      return applied(in);
    } catch (OutOfMemoryError e) {
      throw MemoryLimit.exhausted(e);
    }
  }

  private Encoded applied(MemorySegment in) {
    MemorySegment bytes = in;
    Filter.BytePlanes planes = Filter.BytePlanes.UNKNOWN;
    int mask = 0;
    for (int i = 0; i < filters.size(); i++) {
      FilterSpec spec = filters.get(i);
      boolean mandatory = spec.flag() == FilterSpec.Flag.MANDATORY;
      Filter.Growth allowed = mandatory ? Filter.Growth.STORED : growth;
      MemorySegment before = bytes;
      Filter.BytePlanes hint = planes;
      Optional<MemorySegment> after =
          filterSet.find(spec.id()).flatMap(filter -> filter.encode(before, spec, allowed, hint));
      if (after.isPresent()) {
        bytes = after.get();
        planes = ShuffleFilter.planes(spec, bytes);
      } else if (mandatory) {
        throw unsupported(spec, "writing a chunk");
      } else {
        mask |= 1 << i;
      }
    }
    return new Encoded(bytes, mask);
  }

  /**
   * Reverses the filters. The input is not changed; the result may be a view of it. Local,
   * thread-safe.
   *
   * @param in the filtered bytes
   * @param mask bit i set if filter i was skipped; bits beyond the last filter must be clear
   * @param limit maximum size of the result in bytes, at least 0, which is not checked before the
   *     filters are called; decoding fails before it allocates much more than this
   * @return the unfiltered bytes
   * @throws FormatException if the bytes are damaged, the mask has bits beyond the last filter, the
   *     client data of a filter is invalid, or the bytes decode to more than the limit
   * @throws UnsupportedFeatureException if a filter that was applied is not installed, or cannot
   *     decode this variant of its format or that many bytes
   * @throws io.skerry.exception.MemoryLimitException if the memory is insufficient
   */
  public MemorySegment undo(MemorySegment in, int mask, long limit) {
    return undo(in, mask, limit, (bytes, _) -> HeapBytes.allocate(bytes));
  }

  /**
   * Reverses the filters, using memory that the caller provides. Local, thread-safe.
   *
   * @param in the filtered bytes
   * @param mask bit i set if filter i was skipped; bits beyond the last filter must be clear
   * @param limit maximum size of the result in bytes, at least 0, which is not checked before the
   *     filters are called
   * @param memory allocator for the result and for intermediate results; its memory is not zeroed
   * @return the unfiltered bytes
   * @throws FormatException if the bytes are damaged, the mask has bits beyond the last filter, the
   *     client data of a filter is invalid, or the bytes decode to more than the limit
   * @throws UnsupportedFeatureException if a filter that was applied is not installed, or cannot
   *     decode this variant of its format or that many bytes
   * @throws io.skerry.exception.MemoryLimitException if the memory is insufficient
   */
  public MemorySegment undo(MemorySegment in, int mask, long limit, SegmentAllocator memory) {
    if (filters.size() < 32 && mask >>> filters.size() != 0) {
      throw new FormatException(
          "filter mask has bits beyond the last filter",
          "below 2^" + filters.size(),
          "0x" + Integer.toHexString(mask));
    }
    MemorySegment bytes = in;
    try {
      for (int i = filters.size() - 1; i >= 0; i--) {
        if ((mask & 1 << i) == 0) {
          FilterSpec spec = filters.get(i);
          Filter filter =
              filterSet.find(spec.id()).orElseThrow(() -> unsupported(spec, "reading a chunk"));
          bytes = filter.decode(bytes, spec, within(limit, mask, i), memory);
        }
      }
    } catch (OutOfMemoryError e) {
      throw MemoryLimit.exhausted(e);
    }
    if (bytes.byteSize() > limit) {
      throw new FormatException("unfiltered bytes", "at most " + limit, bytes.byteSize());
    }
    return bytes;
  }

  /**
   * Returns the maximum size in bytes to which filter i may decode. Filters that were applied
   * before filter i may have enlarged the data when the chunk was written.
   */
  private long within(long limit, int mask, int i) {
    long most = limit;
    for (int j = 0; j < i && most <= MAX_BOUNDED; j++) {
      FilterSpec spec = filters.get(j);
      Optional<Filter> filter = (mask & 1 << j) == 0 ? filterSet.find(spec.id()) : Optional.empty();
      most = filter.isPresent() ? filter.get().maxEncoded(most, spec) : most;
    }
    return most;
  }

  private UnsupportedFeatureException unsupported(FilterSpec spec, String where) {
    List<String> broken = filterSet.brokenProviders();
    return new UnsupportedFeatureException(
        "filter id="
            + spec.id()
            + " name="
            + spec.knownName().orElse("unnamed")
            + " clientData="
            + Arrays.toString(spec.clientData())
            + (broken.isEmpty() ? "" : " brokenProviders=" + broken),
        where);
  }

  @Override
  public String toString() {
    return filters.toString();
  }
}
