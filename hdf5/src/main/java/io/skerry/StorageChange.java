package io.skerry;

import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The differences between the storage of a dataset and that of its copy. Scalar and null datasets
 * keep their storage; a conversion between dense and sparse storage is not possible for them.
 * Immutable; each method that changes a property returns a changed copy. The copy operation itself
 * checks whether a dataset can be stored as requested.
 *
 * @param layout the layout of the copy; if empty, the layout is kept (a changed virtual dataset
 *     becomes contiguous), unless filters, a chunk shape or a conversion requires chunks. A copy
 *     without chunks cannot be extended
 * @param chunk the shape of a chunk in elements; a size that exceeds a limited maximum extent is
 *     reduced to it. If empty, the chunk shape is kept; Skerry chooses it for a dataset without
 *     chunks
 * @param filters the filters in the order in which a write applies them; an empty list removes
 *     filters. If the {@code Optional} is empty, the filters are kept, unless the layout of the
 *     copy has no chunks
 * @param redefinition the conversion between dense and sparse storage; empty if none
 * @param fit the treatment of a dataset that cannot be stored as requested
 */
public record StorageChange(
    Optional<Layout> layout,
    Optional<List<Long>> chunk,
    Optional<List<FilterSpec>> filters,
    Optional<SparsityConversion> redefinition,
    Fit fit) {

  /** The layout of the elements. */
  public enum Layout {
    /** In the object header. */
    COMPACT,
    /** In one contiguous block. */
    CONTIGUOUS,
    /** In chunks. */
    CHUNKED
  }

  /** The treatment of a dataset that cannot be stored as requested. */
  public enum Fit {
    /** The copy fails. */
    REQUIRED,
    /**
     * The dataset keeps its storage. This also applies to a dataset whose elements are in other
     * files or datasets.
     */
    WHERE_POSSIBLE
  }

  private static final StorageChange NONE =
      new StorageChange(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Fit.REQUIRED);

  /**
   * Creates a change with copies of the lists. The sizes and the filters are not checked. Local,
   * thread-safe; does not fail.
   */
  public StorageChange {
    chunk = chunk.map(List::copyOf);
    filters = filters.map(List::copyOf);
  }

  /**
   * Returns a change that keeps the storage. Local, thread-safe; does not fail.
   *
   * @return the empty change, with {@link Fit#REQUIRED}
   */
  public static StorageChange none() {
    return NONE;
  }

  /**
   * Returns a change with the given layout that is otherwise equal to this one. Local, thread-safe;
   * does not fail.
   *
   * @param asked the layout of the copied dataset
   * @return the new change
   */
  public StorageChange withLayout(Layout asked) {
    return new StorageChange(Optional.of(asked), chunk, filters, redefinition, fit);
  }

  /**
   * Returns this change with a different chunk shape. Local, thread-safe; does not fail.
   *
   * @param asked the size of a chunk along each dimension, in elements
   * @return the changed copy
   */
  public StorageChange withChunk(List<Long> asked) {
    return new StorageChange(layout, Optional.of(asked), filters, redefinition, fit);
  }

  /**
   * Returns this change with different filters. Local, thread-safe; does not fail.
   *
   * @param asked the filters in the order in which a write applies them; an empty list removes
   *     filters
   * @return the changed copy
   */
  public StorageChange withFilters(List<FilterSpec> asked) {
    return new StorageChange(layout, chunk, Optional.of(asked), redefinition, fit);
  }

  /**
   * Returns this change with a different treatment of datasets that cannot be stored as requested.
   * Local, thread-safe; does not fail.
   *
   * @param asked the treatment
   * @return the changed copy
   */
  public StorageChange withFit(Fit asked) {
    return new StorageChange(layout, chunk, filters, redefinition, asked);
  }

  /**
   * Returns this change with a conversion between dense and sparse storage. Local, thread-safe;
   * does not fail.
   *
   * @param asked the conversion
   * @return the changed copy
   */
  public StorageChange redefining(SparsityConversion asked) {
    return new StorageChange(layout, chunk, filters, Optional.of(asked), fit);
  }

  /**
   * Returns whether this change is empty. Local, thread-safe; does not fail.
   *
   * @return true if the copy keeps layout, chunks, filters and sparsity
   */
  public boolean isNone() {
    return layout.isEmpty() && chunk.isEmpty() && filters.isEmpty() && redefinition.isEmpty();
  }

  /**
   * Returns a pipeline without the filter parameters that were derived for the stored dataset.
   * Local, thread-safe; does not fail.
   *
   * @param pipeline a pipeline as stored in a file
   * @return the pipeline as a program specifies it for a new dataset
   */
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
