package io.skerry.iod.object.model;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.iod.encoding.property.CreationProperties;
import io.skerry.iod.encoding.property.DatasetCreation;
import io.skerry.iod.encoding.property.Property;
import io.skerry.iod.encoding.property.PropertyClass;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The metadata of a dataset as a specification. Immutable.
 *
 * @param spec the specification, whose storage and chunk shape are resolved
 * @param tile the shape of a tile in cells; empty for a dataset without elements and for a scalar
 */
public record DatasetMetadata(DatasetSpec spec, List<Long> tile) {
  static final int SPARSE = 1;
  static final int STRUCTURED = 2;
  static final int UNFILTERED = 1;
  static final int VALUES = 1;
  static final int HEAP = 2;

  /** The size limit for tiles of datasets without chunks, in bytes. */
  private static final long TILE_BYTES = 4 << 20;

  /** Copies the shape. */
  public DatasetMetadata {
    tile = List.copyOf(tile);
  }

  /** Returns the metadata of a new dataset. Local, thread-safe; does not fail. */
  static DatasetMetadata of(DatasetSpec spec) {
    return switch (spec.resolvedStorage()) {
      case NULL -> new DatasetMetadata(spec, List.of());
      case DENSE, SPARSE, STRUCTURED -> new DatasetMetadata(spec, boxed(spec.resolvedChunk()));
      default -> new DatasetMetadata(spec, boxed(slab(spec.shape(), spec.datatype().size())));
    };
  }

  /** Returns the shape of tiles of whole rows, or of a part of a row, within the size limit. */
  private static long[] slab(Shape shape, int cell) {
    long[] tile = new long[shape.rank()];
    long left = Math.max(1, TILE_BYTES / cell);
    for (int d = shape.rank() - 1; d >= 0; d--) {
      tile[d] = Math.max(1, Math.min(shape.extent(d), left));
      left = Math.max(1, left / tile[d]);
    }
    return tile;
  }

  private static List<Long> boxed(long[] shape) {
    List<Long> boxed = new ArrayList<>();
    for (long size : shape) {
      boxed.add(size);
    }
    return boxed;
  }

  /**
   * Returns the extent; empty if the dataset has no elements. Local, thread-safe; does not fail.
   */
  public Optional<Shape> extent() {
    return spec.resolvedStorage() == DatasetSpec.Storage.NULL
        ? Optional.empty()
        : Optional.of(spec.shape());
  }

  /**
   * Returns whether tiles hold cells whose content is in BLOBs. Sparse and structured chunks hold
   * such content themselves. Local, thread-safe; does not fail.
   */
  public boolean hasCells() {
    DatasetSpec.Storage storage = spec.resolvedStorage();
    return storage != DatasetSpec.Storage.SPARSE
        && storage != DatasetSpec.Storage.STRUCTURED
        && !CellPart.of(spec.datatype()).isEmpty();
  }

  /**
   * Stores the metadata of a new dataset.
   *
   * @throws UnsupportedFeatureException if the dataset is virtual
   */
  void create(MetadataWriter out) {
    PropertyList creation = DatasetCreation.of(spec).toList();
    DatasetSpec.Storage storage = spec.resolvedStorage();
    out.create(ObjectKind.DATASET, creation);
    out.create(MetadataKey.OBJECT_DATATYPE, spec.datatype());
    out.extent(extent());
    switch (storage) {
      case SPARSE -> createSections(out, SPARSE);
      case STRUCTURED -> createSections(out, STRUCTURED);
      case DENSE -> {}
      default -> {
        if (!tile.isEmpty()) {
          ByteWriter shape = ByteWriter.create();
          tile.forEach(shape::u64);
          out.create(MetadataKey.SKERRY_TILE_SHAPE, shape.written());
        }
      }
    }
    if (spec.edges() == DatasetSpec.Edges.UNFILTERED) {
      out.i32(MetadataKey.SKERRY_EDGES, UNFILTERED);
    }
  }

  private void createSections(MetadataWriter out, int chunks) {
    out.i32(MetadataKey.SKERRY_CHUNKS, chunks);
    createFilters(out, MetadataKey.SKERRY_SELECTION_FILTERS, spec.filters().of(0));
    createFilters(out, MetadataKey.SKERRY_HEAP_FILTERS, spec.filters().of(HEAP));
    if (spec.encoding() != SelectionEncoding.SMALLEST) {
      out.i32(MetadataKey.SKERRY_SELECTION_ENCODING, spec.encoding().ordinal());
    }
  }

  private static void createFilters(MetadataWriter out, MetadataKey key, FilterPipeline filters) {
    if (!filters.isEmpty()) {
      PropertyList list =
          PropertyList.of(
              PropertyClass.DATASET_CREATE,
              Property.of(CreationProperties.FILTERS, filters.filters()));
      out.create(key, MemorySegment.ofArray(list.encode()));
    }
  }

  /**
   * Reads the metadata of a dataset.
   *
   * @throws FormatException if the metadata is damaged or inconsistent
   * @throws UnsupportedFeatureException if the dataset is virtual or in external files
   */
  public static DatasetMetadata read(Metadata metadata) {
    try {
      return DatasetMetadataReader.decode(metadata);
    } catch (FormatException e) {
      throw e.inObject(metadata.id().toString()).inFile(metadata.values().container());
    }
  }
}
