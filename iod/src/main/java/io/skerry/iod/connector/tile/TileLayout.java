package io.skerry.iod.connector.tile;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.chunk.format.VariableChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.iod.object.model.CellPart;
import io.skerry.iod.object.model.DatasetMetadata;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * The division of a dataset into tiles, and their format. A scalar, and a dataset with a null
 * dataspace, have one tile of one cell. Immutable; local, thread-safe.
 */
public final class TileLayout {
  /** The largest size of the cells of a tile in bytes; filters may add some bytes. */
  private static final long LARGEST = (1L << 30) - (1 << 20);

  private static final int LENGTH_BYTES = 8;

  private final DatasetMetadata metadata;
  private final ChunkGrid grid;
  private final ChunkFormat format;
  private final ChunkFormat unfiltered;
  private final TileImages images;
  private final TileNumbers numbers;
  private final List<CellPart> cells;
  private final TileMemory memory;

  private TileLayout(DatasetMetadata metadata, ChunkFormat format, TileMemory memory) {
    this.metadata = metadata;
    this.memory = memory;
    this.grid = ChunkGrid.of(format.chunkShape());
    this.format = format;
    this.unfiltered = format.withoutFilters();
    boolean isPlain =
        format instanceof DenseChunkFormat && metadata.spec().filters().of(0).isEmpty();
    this.images = new TileImages(isPlain ? TileImages.Form.PLAIN : TileImages.Form.SECTIONED);
    this.numbers = TileNumbers.of(flat(metadata.spec().shape()), format.chunkShape());
    this.cells = metadata.hasCells() ? CellPart.of(metadata.spec().datatype()) : List.of();
  }

  /**
   * Returns the layout of a dataset.
   *
   * @throws UnsupportedFeatureException if a tile is larger than 1 GiB, or the datatype does not
   *     fit the storage
   * @throws IllegalArgumentException if a filter finds its client data invalid
   */
  public static TileLayout of(DatasetMetadata metadata) {
    DatasetSpec spec = metadata.spec();
    long[] tile = shape(metadata);
    long bytes = spec.datatype().size();
    for (long side : tile) {
      bytes = Math.multiplyHigh(bytes, side) == 0 ? bytes * side : Long.MAX_VALUE;
      if (bytes < 0 || bytes > LARGEST) {
        throw new UnsupportedFeatureException(
            "tiles of more than "
                + LARGEST
                + " bytes: shape="
                + Arrays.toString(tile)
                + " elementSize="
                + spec.datatype().size(),
            "a dataset in a container");
      }
    }
    return new TileLayout(metadata, format(spec, tile), TileMemory.notKept());
  }

  /** Returns this layout with other memory for stored tiles, which must outlive the layout. */
  public TileLayout withMemory(TileMemory other) {
    return new TileLayout(metadata, format, other);
  }

  /** Returns the shape of a tile in cells. */
  static long[] shape(DatasetMetadata metadata) {
    return metadata.tile().isEmpty()
        ? new long[] {1}
        : metadata.tile().stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * Returns the layout of a stored dataset.
   *
   * @throws UnsupportedFeatureException as {@link #of}
   * @throws FormatException if the metadata are inconsistent
   */
  public static TileLayout stored(DatasetMetadata metadata) {
    try {
      return of(metadata);
    } catch (IllegalArgumentException e) {
      throw new FormatException(
          "layout of a dataset", "values that agree", String.valueOf(e.getMessage()));
    }
  }

  private static ChunkFormat format(DatasetSpec spec, long[] tile) {
    Datatype type = spec.datatype();
    boolean isVariable = !VariableLengthParts.of(type).isNone();
    MemorySegment fill = fill(spec);
    SectionPipelines filters = spec.filters().withFilterSet(FilterSet.installed());
    return switch (spec.resolvedStorage()) {
      case SPARSE ->
          isVariable
              ? variable(spec, tile, filters)
              : SparseChunkFormat.of(tile, type)
                  .withSelectionEncoding(spec.encoding())
                  .withPipelines(filters)
                  .withFill(fill);
      case STRUCTURED -> variable(spec, tile, filters).dense();
      default ->
          DenseChunkFormat.of(tile, type)
              .withFill(fill)
              .withPipeline(filters.of(0).withGrowth(Filter.Growth.STORED));
    };
  }

  /** Returns the format of chunks with content of variable length, whose fill value is null. */
  private static VariableChunkFormat variable(
      DatasetSpec spec, long[] tile, SectionPipelines filters) {
    return VariableChunkFormat.of(tile, spec.datatype(), LENGTH_BYTES)
        .withSelectionEncoding(spec.encoding())
        .withPipelines(filters)
        .withFill(fill(spec));
  }

  private static MemorySegment fill(DatasetSpec spec) {
    return spec.fill()
        .map(MemorySegment::ofArray)
        .orElseGet(() -> HeapBytes.allocate(spec.datatype().size()));
  }

  /** Returns the metadata of the dataset, with the extent at the time of the opening. */
  public DatasetMetadata metadata() {
    return metadata;
  }

  /** Returns the datatype of a cell. */
  public Datatype datatype() {
    return format.datatype();
  }

  /** Returns the grid of tiles. */
  public ChunkGrid grid() {
    return grid;
  }

  /** Returns the format of tiles in memory. */
  public ChunkFormat format() {
    return format;
  }

  /** Returns whether the elements of a stored tile are encoded. */
  boolean isDecoded() {
    return images.form() == TileImages.Form.SECTIONED;
  }

  /** Returns the parts of a cell whose content is in BLOBs; empty if there are none. */
  public List<CellPart> cells() {
    return cells;
  }

  TileMemory memory() {
    return memory;
  }

  TileImages images() {
    return images;
  }

  TileNumbers numbers() {
    return numbers;
  }

  /** Returns the format of a stored tile. */
  ChunkFormat format(TileImages.Filtering filtering) {
    return switch (filtering) {
      case APPLIED -> format;
      case SKIPPED -> unfiltered;
    };
  }

  /** Returns the treatment of filters for a tile that is stored within an extent. */
  TileImages.Filtering filtering(long[] scaled, Shape extent) {
    boolean isWhole = Arrays.equals(grid.valid(scaled, extent), grid.sizes());
    return metadata.spec().edges() == DatasetSpec.Edges.UNFILTERED && !isWhole
        ? TileImages.Filtering.SKIPPED
        : TileImages.Filtering.APPLIED;
  }

  /** Returns an extent of at least one dimension: that of a scalar has one element. */
  static Shape flat(Shape extent) {
    return extent.rank() == 0 ? Shape.of(1) : extent;
  }

  /**
   * Returns a selection in the {@link #flat} extent.
   *
   * @throws IllegalArgumentException if the selection is not within the extent
   */
  static Selection flat(Selection selection, Shape extent) {
    selection.checkWithin(extent);
    if (extent.rank() > 0) {
      return selection;
    }
    return selection.count(extent) == 0 ? Selection.none() : Selection.at(0).extent(1);
  }
}
