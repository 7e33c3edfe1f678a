package io.skerry.iod.object.model;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.Bytes;
import io.skerry.iod.encoding.property.CreationProperties;
import io.skerry.iod.encoding.property.DatasetCreation;
import io.skerry.iod.encoding.property.FillProperty;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.encoding.property.StorageLayout;
import io.skerry.iod.encoding.property.Switch;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the metadata of datasets. Local, thread-safe. */
final class DatasetMetadataReader {
  private DatasetMetadataReader() {}

  static DatasetMetadata decode(Metadata metadata) {
    Datatype type = metadata.datatype(MetadataKey.OBJECT_DATATYPE);
    Optional<Shape> extent = metadata.extent();
    DatasetCreation creation = DatasetCreation.of(metadata.creation());
    if (!creation.externalFiles().isEmpty()) {
      throw new UnsupportedFeatureException("external files", metadata.id().toString());
    }
    DatasetSpec.Storage storage = storage(metadata, creation, extent);
    try {
      DatasetSpec spec =
          new DatasetSpec(
              type,
              Optional.empty(),
              extent.orElseGet(Shape::scalar),
              storage,
              chunk(creation.layout()),
              DatasetSpec.AccessPattern.BLOCKS,
              filters(metadata, creation, storage),
              fill(creation.fill(), type),
              encoding(metadata),
              creation.attributeOrder().ofAttributes(),
              allocation(creation, extent),
              edges(metadata),
              filling(creation.fill()),
              Optional.empty());
      return new DatasetMetadata(spec, tile(metadata, spec));
    } catch (IllegalArgumentException e) {
      throw new FormatException(
          "metadata of a dataset", "values that agree", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the time of allocation. A specification has early allocation only if the extent cannot
   * grow, and the extent of a dataset that was created with it may have shrunk since.
   */
  private static DatasetSpec.Allocation allocation(
      DatasetCreation creation, Optional<Shape> extent) {
    return creation.layout() instanceof StorageLayout.Chunked
            && creation.defaultAllocation() == Switch.OFF
            && creation.fill().allocation() == FillProperty.Allocation.EARLY
            && extent.filter(Shape::isExtendible).isEmpty()
        ? DatasetSpec.Allocation.EARLY
        : DatasetSpec.Allocation.AS_WRITTEN;
  }

  private static List<Long> tile(Metadata metadata, DatasetSpec spec) {
    Optional<List<Long>> stored =
        metadata.find(MetadataKey.SKERRY_TILE_SHAPE, bytes -> shape(bytes, spec.shape().rank()));
    return stored.orElseGet(() -> DatasetMetadata.of(spec).tile());
  }

  private static List<Long> shape(MemorySegment bytes, int rank) {
    ByteReader in = ByteReader.of(bytes, "shape of a tile");
    in.expect("size", (long) rank * Long.BYTES, in.remaining());
    List<Long> shape = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      long size = in.i64();
      if (size < 1) {
        throw in.fault("size of dimension " + d, "at least 1", size);
      }
      shape.add(size);
    }
    return shape;
  }

  private static DatasetSpec.Storage storage(
      Metadata metadata, DatasetCreation creation, Optional<Shape> extent) {
    if (extent.isEmpty()) {
      return DatasetSpec.Storage.NULL;
    }
    int chunks = metadata.i32(MetadataKey.SKERRY_CHUNKS).orElse(0);
    return switch (creation.layout()) {
      case StorageLayout.Compact _ -> DatasetSpec.Storage.COMPACT;
      case StorageLayout.Contiguous _ -> DatasetSpec.Storage.CONTIGUOUS;
      case StorageLayout.Virtual _ ->
          throw new UnsupportedFeatureException("virtual layout", metadata.id().toString());
      case StorageLayout.Chunked _ ->
          switch (chunks) {
            case 0 -> DatasetSpec.Storage.DENSE;
            case DatasetMetadata.SPARSE -> DatasetSpec.Storage.SPARSE;
            case DatasetMetadata.STRUCTURED -> DatasetSpec.Storage.STRUCTURED;
            default ->
                throw new FormatException(
                    MetadataKey.SKERRY_CHUNKS.text(), "1 sparse or 2 structured", chunks);
          };
    };
  }

  private static long[] chunk(StorageLayout layout) {
    return layout instanceof StorageLayout.Chunked(List<Long> shape)
        ? shape.stream().mapToLong(Long::longValue).toArray()
        : new long[0];
  }

  private static SectionPipelines filters(
      Metadata metadata, DatasetCreation creation, DatasetSpec.Storage storage) {
    FilterPipeline filters = new FilterPipeline(creation.filters());
    return switch (storage) {
      case SPARSE, STRUCTURED ->
          SectionPipelines.none()
              .with(0, section(metadata, MetadataKey.SKERRY_SELECTION_FILTERS))
              .with(DatasetMetadata.VALUES, filters)
              .with(DatasetMetadata.HEAP, section(metadata, MetadataKey.SKERRY_HEAP_FILTERS));
      // Dense chunks use the first pipeline only.
      default -> SectionPipelines.none().with(0, filters);
    };
  }

  private static FilterPipeline section(Metadata metadata, MetadataKey key) {
    return metadata
        .find(key, PropertyList::decode)
        .flatMap(list -> list.find(CreationProperties.FILTERS))
        .map(FilterPipeline::new)
        .orElseGet(FilterPipeline::none);
  }

  private static Optional<byte[]> fill(FillProperty fill, Datatype type) {
    if (fill.value() instanceof FillProperty.Value.Given(Bytes bytes, Datatype _)) {
      if (bytes.size() != type.size()) {
        throw new FormatException("size of the fill value", type.size(), bytes.size());
      }
      return Optional.of(bytes.segment().toArray(ValueLayout.JAVA_BYTE));
    }
    return Optional.empty();
  }

  private static DatasetSpec.Filling filling(FillProperty fill) {
    if (fill.value() instanceof FillProperty.Value.Undefined) {
      return DatasetSpec.Filling.UNDEFINED;
    }
    return fill.filling() == FillProperty.Filling.NEVER
        ? DatasetSpec.Filling.NEVER
        : DatasetSpec.Filling.VALUE;
  }

  private static SelectionEncoding encoding(Metadata metadata) {
    int code = metadata.i32(MetadataKey.SKERRY_SELECTION_ENCODING).orElse(0);
    if (code < 0 || code >= SelectionEncoding.values().length) {
      throw new FormatException(MetadataKey.SKERRY_SELECTION_ENCODING.text(), "0 to 4", code);
    }
    return SelectionEncoding.values()[code];
  }

  private static DatasetSpec.Edges edges(Metadata metadata) {
    int code = metadata.i32(MetadataKey.SKERRY_EDGES).orElse(0);
    return switch (code) {
      case 0 -> DatasetSpec.Edges.FILTERED;
      case DatasetMetadata.UNFILTERED -> DatasetSpec.Edges.UNFILTERED;
      default -> throw new FormatException(MetadataKey.SKERRY_EDGES.text(), "0 or 1", code);
    };
  }
}
