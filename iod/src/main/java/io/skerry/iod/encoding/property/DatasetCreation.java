package io.skerry.iod.encoding.property;

import io.skerry.DatasetSpec;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * The creation properties of a dataset. Immutable.
 *
 * <p>The encoding was designed for datasets of HDF5 1.10, so it does not represent all of a {@link
 * DatasetSpec}: a list does not distinguish sparse or structured chunks from dense ones, contains
 * the filters of only one section, and does not state whether partial edge chunks are filtered.
 *
 * @param layout the layout of the elements
 * @param fill the fill value, and when space is allocated and filled
 * @param defaultAllocation on if the time of allocation follows from the layout
 * @param filters the filters in the order in which a write applies them
 * @param externalFiles the parts of other files that hold the elements
 * @param attributeOrder the creation order of attributes
 */
public record DatasetCreation(
    StorageLayout layout,
    FillProperty fill,
    Switch defaultAllocation,
    List<FilterSpec> filters,
    List<ExternalFile> externalFiles,
    CreationOrder attributeOrder) {
  private static final int VALUES = 1;

  /** Creates properties with copies of the lists. Local, thread-safe; does not fail. */
  public DatasetCreation {
    filters = List.copyOf(filters);
    externalFiles = List.copyOf(externalFiles);
  }

  /**
   * Returns the properties of a new dataset. For sparse and structured chunks, the filters are
   * those of the values. Local, thread-safe.
   *
   * @throws UnsupportedFeatureException if the dataset is virtual: a list contains the extents of
   *     the sources, which a specification lacks
   */
  public static DatasetCreation of(DatasetSpec spec) {
    DatasetSpec.Storage storage = spec.resolvedStorage();
    StorageLayout layout =
        switch (storage) {
          case COMPACT -> new StorageLayout.Compact();
          case CONTIGUOUS, NULL -> new StorageLayout.Contiguous();
          case DENSE, SPARSE, STRUCTURED ->
              new StorageLayout.Chunked(Arrays.stream(spec.resolvedChunk()).boxed().toList());
          case VIRTUAL ->
              throw new UnsupportedFeatureException("virtual layout", "creation property list");
          case AUTOMATIC -> throw new IllegalStateException("the storage is not resolved");
        };
    boolean early = spec.allocation() == DatasetSpec.Allocation.EARLY;
    return new DatasetCreation(
        layout,
        fill(spec, early ? FillProperty.Allocation.EARLY : allocation(layout)),
        early ? Switch.OFF : Switch.ON,
        filters(spec.filters(), storage),
        List.of(),
        CreationOrder.of(spec.attributeOrder()));
  }

  private static FillProperty.Allocation allocation(StorageLayout layout) {
    return switch (layout) {
      case StorageLayout.Compact _ -> FillProperty.Allocation.EARLY;
      case StorageLayout.Contiguous _ -> FillProperty.Allocation.LATE;
      case StorageLayout.Chunked _, StorageLayout.Virtual _ -> FillProperty.Allocation.INCREMENTAL;
    };
  }

  private static List<FilterSpec> filters(SectionPipelines pipelines, DatasetSpec.Storage storage) {
    return switch (storage) {
      case SPARSE, STRUCTURED -> pipelines.of(VALUES).filters();
      default -> pipelines.of(0).filters();
    };
  }

  private static FillProperty fill(DatasetSpec spec, FillProperty.Allocation allocation) {
    FillProperty.Value value =
        spec.fill()
            .<FillProperty.Value>map(bytes ->
                new FillProperty.Value.Given(
                    Bytes.of(MemorySegment.ofArray(bytes)), spec.datatype()))
            .orElseGet(FillProperty.Value.Default::new);
    return switch (spec.filling()) {
      case VALUE -> new FillProperty(allocation, FillProperty.Filling.IF_SET, value);
      case NEVER -> new FillProperty(allocation, FillProperty.Filling.NEVER, value);
      case UNDEFINED ->
          new FillProperty(
              allocation, FillProperty.Filling.IF_SET, new FillProperty.Value.Undefined());
    };
  }

  /**
   * Returns the properties in a list; those that are absent have the defaults of the HDF5 library.
   * Local, thread-safe; does not fail.
   */
  public static DatasetCreation of(PropertyList list) {
    StorageLayout layout =
        list.find(CreationProperties.LAYOUT).orElseGet(StorageLayout.Contiguous::new);
    return new DatasetCreation(
        layout,
        list.find(CreationProperties.FILL_VALUE)
            .orElseGet(() ->
                new FillProperty(
                    allocation(layout),
                    FillProperty.Filling.IF_SET,
                    new FillProperty.Value.Default())),
        list.find(CreationProperties.DEFAULT_ALLOCATION).orElse(Switch.ON),
        list.find(CreationProperties.FILTERS).orElse(List.of()),
        list.find(CreationProperties.EXTERNAL_FILES).orElse(List.of()),
        CreationLists.attributeOrder(list));
  }

  /** Returns the list of all properties. Local, thread-safe; does not fail. */
  public PropertyList toList() {
    return new PropertyList(
        PropertyClass.DATASET_CREATE,
        CreationLists.joined(
            List.of(
                List.of(
                    Property.of(CreationProperties.LAYOUT, layout),
                    Property.of(CreationProperties.EXTERNAL_FILES, externalFiles),
                    Property.of(CreationProperties.MINIMAL_HEADER, Switch.OFF),
                    Property.of(CreationProperties.DEFAULT_ALLOCATION, defaultAllocation),
                    Property.of(CreationProperties.FILL_VALUE, fill)),
                CreationLists.object(filters, attributeOrder))));
  }
}
