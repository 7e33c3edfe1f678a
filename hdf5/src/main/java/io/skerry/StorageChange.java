package io.skerry;

import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How the copy of a dataset is to be stored where not as the dataset itself. Datasets without a
 * dimension stay as they are. Immutable; each wither gives a changed copy.
 *
 * @param layout compact, contiguous or in chunks; a filter or a chunk shape asks for chunks
 * @param chunk shape of a chunk; cut to the extent where that cannot grow
 * @param filters in the order of writing; none if empty
 * @param redefinition which elements exist in the copy, if not the same
 * @param fit what happens to a dataset that cannot be stored so
 */
public record StorageChange(
    Optional<Layout> layout,
    Optional<List<Long>> chunk,
    Optional<List<FilterSpec>> filters,
    Optional<SparsityConversion> redefinition,
    Fit fit) {

  /** Where elements stand. */
  public enum Layout {
    /** In the object header. */
    COMPACT,
    /** In one block. */
    CONTIGUOUS,
    /** In chunks. */
    CHUNKED
  }

  /** What happens to a dataset that cannot be stored as asked. */
  public enum Fit {
    /** It is an error. */
    REQUIRED,
    /**
     * It stays as it is, and so does one whose elements are in other files or datasets: nobody
     * asked for a copy of these.
     */
    WHERE_POSSIBLE
  }

  private static final StorageChange NONE =
      new StorageChange(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Fit.REQUIRED);

  public StorageChange {
    chunk = chunk.map(List::copyOf);
    filters = filters.map(List::copyOf);
  }

  /** Everything as it was. */
  public static StorageChange none() {
    return NONE;
  }

  /** The same with another layout. */
  public StorageChange withLayout(Layout asked) {
    return new StorageChange(Optional.of(asked), chunk, filters, redefinition, fit);
  }

  /** The same with another chunk shape. */
  public StorageChange withChunk(List<Long> asked) {
    return new StorageChange(layout, Optional.of(asked), filters, redefinition, fit);
  }

  /** The same with other filters. */
  public StorageChange withFilters(List<FilterSpec> asked) {
    return new StorageChange(layout, chunk, Optional.of(asked), redefinition, fit);
  }

  /** The same with another answer to what does not fit. */
  public StorageChange withFit(Fit asked) {
    return new StorageChange(layout, chunk, filters, redefinition, asked);
  }

  /** The same with other elements that exist. */
  public StorageChange redefining(SparsityConversion asked) {
    return new StorageChange(layout, chunk, filters, Optional.of(asked), fit);
  }

  /** Returns whether everything stays as it is. */
  public boolean isNone() {
    return layout.isEmpty() && chunk.isEmpty() && filters.isEmpty() && redefinition.isEmpty();
  }

  /** The same filters without what they know of the data that they were for. */
  public static FilterPipeline unbound(FilterPipeline pipeline) {
    return new FilterPipeline(
        pipeline.filters().stream().map(StorageChange::unbound).toList(),
        pipeline.filterSet(),
        pipeline.growth());
  }

  private static FilterSpec unbound(FilterSpec spec) {
    return switch (spec.id()) {
      case Filters.NBIT -> spec.withClientData();
      case Filters.SZIP, Filters.SCALE_OFFSET ->
          spec.withClientData(
              Arrays.copyOf(spec.clientData(), Math.min(2, spec.clientData().length)));
      case Filters.BLOSC -> {
        int[] data = spec.clientData();
        if (data.length > 3) {
          data[3] = 0;
        }
        yield spec.withClientData(data);
      }
      default -> spec;
    };
  }
}
