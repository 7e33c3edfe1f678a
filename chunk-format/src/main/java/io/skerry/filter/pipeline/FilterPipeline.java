package io.skerry.filter.pipeline;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.basic.ShuffleFilter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.BytePlanes;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterFlag;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Filters in the order in which a write applies them; a read undoes them backwards. Immutable.
 *
 * <p>A pipeline may name filters unknown here: it fails when such a filter is needed, not when the
 * dataset is opened.
 *
 * @param filters at most 32, for the mask has a bit for each
 * @param filterSet the filters that can be called
 * @param growth what an optional compressor does with data that it would make larger
 */
public record FilterPipeline(List<FilterSpec> filters, FilterSet filterSet, Filter.Growth growth) {
  private static final FilterPipeline NONE = new FilterPipeline(List.of());

  /** Beyond this, damage is likelier than need; it also keeps a mask in an int. */
  private static final int MAX_FILTERS = 32;

  /** Room above the caller's limit for what the inner filters of a read still carry. */
  private static final long SLACK = 1024;

  /** Copies the list. */
  public FilterPipeline {
    filters = List.copyOf(filters);
    if (filters.size() > MAX_FILTERS) {
      throw new IllegalArgumentException(
          "too many filters: filters=" + filters.size() + " limit=" + MAX_FILTERS);
    }
  }

  /** A pipeline of standard filters that stores nothing larger than it was. */
  public FilterPipeline(List<FilterSpec> filters) {
    this(filters, FilterSet.standard(), Filter.Growth.SKIPPED);
  }

  /** The same. */
  public static FilterPipeline of(FilterSpec... filters) {
    return new FilterPipeline(List.of(filters));
  }

  /** No filter at all. */
  public static FilterPipeline none() {
    return NONE;
  }

  /** The same filters with other conduct towards data that grows. */
  public FilterPipeline withGrowth(Filter.Growth newGrowth) {
    return new FilterPipeline(filters, filterSet, newGrowth);
  }

  /** The same filters, called from another set. */
  public FilterPipeline withFilterSet(FilterSet newFilterSet) {
    return new FilterPipeline(filters, newFilterSet, growth);
  }

  /** Whether there is no filter. */
  public boolean isEmpty() {
    return filters.isEmpty();
  }

  /** The filter of a number, if it is among these; the first, if it is there more than once. */
  public Optional<FilterSpec> find(int id) {
    return filters.stream().filter(filter -> filter.id() == id).findFirst();
  }

  /** The same with one filter more, at the end. */
  public FilterPipeline plus(FilterSpec filter) {
    return with(Stream.concat(filters.stream(), Stream.of(filter)).toList());
  }

  /**
   * The same with other parameters for a filter, in its place.
   *
   * @throws IllegalArgumentException if there is no filter of that number
   */
  public FilterPipeline modified(FilterSpec filter) {
    checkHas(filter.id());
    return with(filters.stream().map(old -> old.id() == filter.id() ? filter : old).toList());
  }

  /**
   * The same without a filter.
   *
   * @throws IllegalArgumentException if there is no filter of that number
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
   * The pipeline for a new dataset: every filter gets the client data that depend on the data.
   *
   * @throws IllegalArgumentException if one of the filters cannot work on such data
   */
  public FilterPipeline bind(FilterTarget target) {
    return bound(spec ->
        bind(spec, target)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "filter cannot be applied: filter=" + spec + " to=" + target)));
  }

  /** The pipeline for a section whose elements have the given size; see {@link #bind}. */
  public FilterPipeline bind(int elementSize) {
    return bind(FilterTarget.section(elementSize));
  }

  /**
   * The pipeline as a file gives it: what lacks client data gets them if it can, the rest fails
   * when it is used.
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
   * What a write stores.
   *
   * @param bytes filtered bytes; a view of the input if nothing was done
   * @param mask bit i set if filter i was skipped
   */
  public record Encoded(MemorySegment bytes, int mask) {}

  /**
   * Applies the filters. The input is not changed.
   *
   * @throws UnsupportedFeatureException if a mandatory filter is unknown or cannot do its work
   */
  public Encoded apply(MemorySegment in) {
    MemorySegment bytes = in;
    BytePlanes planes = BytePlanes.UNKNOWN;
    int mask = 0;
    for (int i = 0; i < filters.size(); i++) {
      FilterSpec spec = filters.get(i);
      boolean mandatory = spec.flag() == FilterFlag.MANDATORY;
      Filter.Growth allowed = mandatory ? Filter.Growth.STORED : growth;
      MemorySegment before = bytes;
      BytePlanes told = planes;
      Optional<MemorySegment> after =
          filterSet.find(spec.id()).flatMap(filter -> filter.encode(before, spec, allowed, told));
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
   * Undoes the filters. The input is not changed; the result may be a view of it.
   *
   * @param mask bit i set if filter i was skipped; bits beyond the last filter must be clear
   * @param limit the most bytes the result may have; what would exceed it is refused before it is
   *     made
   * @throws FormatException if the bytes are damaged or decode to more than the limit
   * @throws UnsupportedFeatureException if a filter that was applied is unknown
   */
  public MemorySegment undo(MemorySegment in, int mask, long limit) {
    return undo(in, mask, limit, (bytes, _) -> HeapBytes.allocate(bytes));
  }

  /**
   * The same, with memory that somebody else provides.
   *
   * @param memory gives memory, which need not be zeroed, for the result and what leads to it
   */
  public MemorySegment undo(MemorySegment in, int mask, long limit, SegmentAllocator memory) {
    if (filters.size() < 32 && mask >>> filters.size() != 0) {
      throw new FormatException(
          "filter mask has bits beyond the last filter",
          "below 2^" + filters.size(),
          "0x" + Integer.toHexString(mask));
    }
    MemorySegment bytes = in;
    for (int i = filters.size() - 1; i >= 0; i--) {
      if ((mask & 1 << i) == 0) {
        FilterSpec spec = filters.get(i);
        Filter filter =
            filterSet.find(spec.id()).orElseThrow(() -> unsupported(spec, "reading a chunk"));
        bytes = filter.decode(bytes, spec, within(limit, i), memory);
      }
    }
    if (bytes.byteSize() > limit) {
      throw new FormatException("unfiltered bytes", "at most " + limit, bytes.byteSize());
    }
    return bytes;
  }

  /**
   * What may come out of filter i: the filters before it may have added a little, but for shuffle,
   * which keeps the length.
   */
  private long within(long limit, int i) {
    boolean exact = filters.subList(0, i).stream().allMatch(f -> f.id() == Filters.SHUFFLE);
    long more = limit / 32 + SLACK * i;
    return exact || limit > Long.MAX_VALUE - more ? limit : limit + more;
  }

  private static UnsupportedFeatureException unsupported(FilterSpec spec, String where) {
    return new UnsupportedFeatureException(
        "filter id="
            + spec.id()
            + " name="
            + spec.knownName().orElse("unnamed")
            + " clientData="
            + Arrays.toString(spec.clientData()),
        where);
  }

  @Override
  public String toString() {
    return filters.toString();
  }
}
