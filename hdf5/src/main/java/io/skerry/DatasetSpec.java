package io.skerry;

import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.Datatype;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The specification of a new dataset: datatype, extent, storage and filters. Immutable; methods
 * that change a property return a changed copy. The constructor and these methods throw {@link
 * IllegalArgumentException} if the storage cannot represent the dataset, and {@link
 * io.skerry.exception.UnsupportedFeatureException} if {@linkplain Allocation#EARLY early}
 * allocation was requested for a layout other than chunks, or for dense chunks that have filters or
 * an extent that can grow. Each method checks the changed copy as the constructor does; its
 * documentation lists the causes that are specific to it.
 *
 * @param datatype the datatype of an element in the file
 * @param committed the path of the committed datatype that the dataset shares; empty if none
 * @param shape the current and the maximum extent, in elements
 * @param storage the requested layout
 * @param chunk the shape of a chunk in elements; empty if Skerry chooses it, or if the dataset is
 *     not chunked
 * @param access the expected order of reads, for the choice of the chunk shape
 * @param filters the filters of each section; {@link Storage#DENSE} chunks use only the first
 *     pipeline
 * @param fill the fill value in the file datatype; empty for zeros
 * @param encoding the encoding of the locations of the defined elements in a sparse chunk
 * @param attributeOrder the creation-order tracking for attributes
 * @param allocation the time at which space is allocated
 * @param edges the treatment of partial edge chunks
 * @param filling the treatment of unwritten elements in the file
 * @param virtual the mappings of a virtual dataset; empty for any other storage
 */
// Longer than other classes, since about half of the lines document the API.
public record DatasetSpec(
    Datatype datatype,
    Optional<String> committed,
    Shape shape,
    Storage storage,
    long[] chunk,
    AccessPattern access,
    SectionPipelines filters,
    Optional<byte[]> fill,
    SelectionEncoding encoding,
    AttributeOrder attributeOrder,
    Allocation allocation,
    Edges edges,
    Filling filling,
    Optional<VirtualLayout> virtual) {

  /**
   * The maximum size of a compact dataset, in bytes: the layout message has at most 65,535 bytes,
   * of which 4 precede the elements.
   */
  private static final int COMPACT_LIMIT = 0xffff - 4;

  /** The layout of the elements. */
  public enum Storage {
    /** Contiguous if the dataset cannot grow and has no filters, otherwise dense chunks. */
    AUTOMATIC,
    /** Compact: in the object header, at most 65,531 bytes. */
    COMPACT,
    /** Contiguous: one block, allocated at the first write. */
    CONTIGUOUS,
    /** Dense chunks: every element has a value. */
    DENSE,
    /** Sparse chunks: only elements that were written exist. */
    SPARSE,
    /**
     * Dense chunks that also hold the variable-length values of their elements; the filters apply
     * to these values as well. Programs that can read sparse datasets can also read these chunks.
     */
    STRUCTURED,
    /** A null dataspace: the dataset has no elements. */
    NULL,
    /** Virtual: the elements are those of other datasets. */
    VIRTUAL
  }

  /**
   * The order in which a dataset will mostly be read. Skerry chooses the chunk shape accordingly.
   */
  public enum AccessPattern {
    /**
     * In arbitrary blocks: starting from the extent of the dataset, the chunk is halved along each
     * dimension in turn.
     */
    BLOCKS,
    /**
     * Along the last dimensions, frame by frame or row by row: the chunk is reduced along these
     * dimensions last.
     */
    ROWS,
    /**
     * Along the first dimensions, such as a time series of one pixel: the chunk is reduced along
     * these dimensions last.
     */
    COLUMNS
  }

  /** The time at which space in the file is allocated. */
  public enum Allocation {
    /**
     * When elements are stored: the complete block of a contiguous dataset at its first write, and
     * each chunk when it is first stored.
     */
    AS_WRITTEN,
    /**
     * For all chunks at the first flush after the creation; requires dense chunks without filters,
     * and an extent that cannot grow.
     */
    EARLY
  }

  /** The treatment of partial edge chunks, which extend beyond the extent of the dataset. */
  public enum Edges {
    /** Filters apply to partial edge chunks. */
    FILTERED,
    /**
     * Partial edge chunks are stored without filters until the extent covers them, so that a chunk
     * is not filtered again each time elements are appended. HDF5 1.10 and later can read such
     * chunks.
     */
    UNFILTERED
  }

  /**
   * The treatment of unwritten elements, as recorded in the file. The C library sets it with {@code
   * H5Pset_fill_time} and {@code H5Pset_fill_value}. Skerry reads unwritten elements as the fill
   * value, or as zeros if there is none. For {@link #NEVER} and {@link #UNDEFINED}, other libraries
   * may return arbitrary bytes.
   */
  public enum Filling {
    /** Unwritten elements have the fill value, or are zeros if there is none. */
    VALUE,
    /** A fill value is defined, but allocated space need not be filled with it. */
    NEVER,
    /** No fill value is defined, not even zeros. */
    UNDEFINED
  }

  /**
   * Creates a specification after checking that its parts agree; the chunk shape and the fill value
   * are copied. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the storage cannot represent the dataset: a scalar with
   *     chunks or filters, filters without chunks, an extendible extent without chunks or mappings,
   *     a chunk shape for storage other than chunks, a chunk shape with the wrong number of
   *     dimensions or with a dimension below 1, a chunk of more than 2^32 - 1 bytes, compact
   *     storage of more than 65,531 bytes, contiguous storage of more than 2^63 - 1 bytes,
   *     structured chunks of a type without variable-length parts, early allocation of sparse or
   *     structured chunks, a treatment of unwritten elements that the datatype or the fill value
   *     does not permit, mappings without virtual storage or vice versa, or a mapping that does not
   *     fit the extent
   * @throws ArithmeticException if a mapping selects more than 2^63 - 1 elements
   * @throws io.skerry.exception.UnsupportedFeatureException if early allocation is requested for a
   *     layout other than chunks, or for dense chunks that have filters or an extent that can grow
   */
  public DatasetSpec {
    chunk = chunk.clone();
    fill = fill.map(byte[]::clone);
    boolean chunks =
        storage == Storage.DENSE || storage == Storage.SPARSE || storage == Storage.STRUCTURED;
    if (storage == Storage.STRUCTURED && VariableLengthParts.of(datatype).isNone()) {
      throw new IllegalArgumentException(
          "structured chunks of every element are for values of variable length: type=" + datatype);
    }
    boolean grows = shape.isExtendible() && storage != Storage.VIRTUAL;
    boolean needsChunks = chunks || grows || filters.isFiltered();
    if (needsChunks && !chunks && storage != Storage.AUTOMATIC) {
      throw new IllegalArgumentException(
          "only a chunked dataset can grow or have filters: storage="
              + storage
              + " shape="
              + shape
              + " filters="
              + text(filters));
    }
    if (needsChunks && shape.rank() == 0) {
      throw new IllegalArgumentException(
          "a scalar cannot have chunks or filters: storage=" + storage);
    }
    if (chunk.length != 0 && (!chunks || chunk.length != shape.rank())) {
      throw new IllegalArgumentException(
          "a chunk needs the rank of the dataset, at least 1: chunk="
              + Arrays.toString(chunk)
              + " shape="
              + shape);
    }
    SpecRules.checkChunk(chunk, datatype.size());
    if (allocation == Allocation.EARLY) {
      SpecRules.checkEarly(shape, storage, filters);
    }
    if (filling != Filling.VALUE) {
      SpecRules.checkFilling(datatype, storage, fill, filling);
    }
    SpecRules.checkVirtual(shape, storage, virtual);
    boolean flat = storage == Storage.COMPACT || storage == Storage.CONTIGUOUS;
    long bytes = flat ? SpecRules.bytes(datatype, shape) : 0;
    if (storage == Storage.COMPACT && bytes > COMPACT_LIMIT) {
      throw new IllegalArgumentException(
          "too large for an object header: elements="
              + shape.elements()
              + " elementSize="
              + datatype.size()
              + " limit="
              + COMPACT_LIMIT
              + " bytes");
    }
  }

  /**
   * Returns the total size of all elements in the file datatype, before filtering. Local,
   * thread-safe.
   *
   * @return the number of bytes
   * @throws IllegalArgumentException if the number exceeds 2^63 - 1
   */
  public long bytes() {
    return SpecRules.bytes(datatype, shape);
  }

  /** A mutable copy of a specification, used to build a changed specification. */
  private static final class Draft {
    private final Datatype datatype;
    private Optional<String> committed;
    private Shape shape;
    private Storage storage;
    private long[] chunk;
    private AccessPattern access;
    private SectionPipelines filters;
    private Optional<byte[]> fill;
    private SelectionEncoding encoding;
    private AttributeOrder attributeOrder;
    private Allocation allocation;
    private Edges edges;
    private Filling filling;
    private Optional<VirtualLayout> virtual;

    Draft(DatasetSpec spec) {
      datatype = spec.datatype;
      committed = spec.committed;
      shape = spec.shape;
      storage = spec.storage;
      chunk = spec.chunk;
      access = spec.access;
      filters = spec.filters;
      fill = spec.fill;
      encoding = spec.encoding;
      attributeOrder = spec.attributeOrder;
      allocation = spec.allocation;
      edges = spec.edges;
      filling = spec.filling;
      virtual = spec.virtual;
    }

    DatasetSpec done() {
      return new DatasetSpec(
          datatype,
          committed,
          shape,
          storage,
          chunk,
          access,
          filters,
          fill,
          encoding,
          attributeOrder,
          allocation,
          edges,
          filling,
          virtual);
    }
  }

  private DatasetSpec with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /**
   * Returns the specification of a dataset with {@link Storage#AUTOMATIC} storage. Local,
   * thread-safe; does not fail.
   *
   * @param datatype the datatype of an element in the file
   * @param shape the current and the maximum extent, in elements
   * @return the specification
   */
  public static DatasetSpec of(Datatype datatype, Shape shape) {
    return new DatasetSpec(
        datatype,
        Optional.empty(),
        shape,
        Storage.AUTOMATIC,
        new long[0],
        AccessPattern.BLOCKS,
        SectionPipelines.none(),
        Optional.empty(),
        SelectionEncoding.SMALLEST,
        AttributeOrder.UNTRACKED,
        Allocation.AS_WRITTEN,
        Edges.FILTERED,
        Filling.VALUE,
        Optional.empty());
  }

  /**
   * Returns the specification of a dataset that shares a committed datatype of the same file.
   * Local, thread-safe; does not fail.
   *
   * @param type the committed datatype
   * @param shape the current and the maximum extent, in elements
   * @return the specification; {@code createDataset} fails if the file has no equal committed
   *     datatype at the path of {@code type}
   */
  public static DatasetSpec of(NamedDatatype type, Shape shape) {
    DatasetSpec plain = of(type.datatype(), shape);
    return plain.with(draft -> draft.committed = Optional.of(type.path()));
  }

  /**
   * Returns this specification with another committed datatype that the dataset shares. Local,
   * thread-safe; does not fail.
   *
   * @param typePath the path of the committed datatype in the file of the dataset, which leads
   *     through hard links only; its datatype must equal that of this specification; empty if the
   *     dataset shares none
   * @return the changed specification
   */
  public DatasetSpec sharing(Optional<String> typePath) {
    return with(draft -> draft.committed = Objects.requireNonNull(typePath));
  }

  /**
   * Returns the specification of a dataset that has a null dataspace and therefore no elements.
   * Local, thread-safe; does not fail.
   *
   * @param datatype the datatype of the dataset
   * @return the specification
   */
  public static DatasetSpec withoutElements(Datatype datatype) {
    return of(datatype, Shape.scalar()).stored(Storage.NULL, new long[0], AccessPattern.BLOCKS);
  }

  /**
   * Returns the specification with compact storage, which suits datasets with few values. Local,
   * thread-safe.
   *
   * @return the changed copy
   * @throws IllegalArgumentException if the elements have more than 65,531 bytes, or the dataset
   *     can grow or has filters
   */
  public DatasetSpec compact() {
    return stored(Storage.COMPACT, new long[0], access);
  }

  /**
   * Returns the specification with contiguous storage. Local, thread-safe.
   *
   * @return the changed copy
   * @throws IllegalArgumentException if the dataset can grow or has filters, or has more than 2^63
   *     - 1 bytes
   */
  public DatasetSpec contiguous() {
    return stored(Storage.CONTIGUOUS, new long[0], access);
  }

  /**
   * Returns the specification with dense chunks. Local, thread-safe.
   *
   * @param chunkShape the shape of a chunk in elements; if omitted, Skerry chooses it from the
   *     extent and the datatype
   * @return the changed copy
   * @throws IllegalArgumentException if the dataset is a scalar, the rank of the chunk shape is
   *     wrong, or the chunk has no elements or more than 2^32 - 1 bytes
   */
  public DatasetSpec chunked(long... chunkShape) {
    return stored(Storage.DENSE, chunkShape, access);
  }

  /**
   * Returns the specification with dense chunks whose shape suits the expected order of reads.
   * Local, thread-safe.
   *
   * @param use the expected order of reads
   * @return the changed copy
   * @throws IllegalArgumentException if the dataset is a scalar
   */
  public DatasetSpec chunked(AccessPattern use) {
    return stored(Storage.DENSE, new long[0], Objects.requireNonNull(use));
  }

  /**
   * Returns the specification with sparse chunks. Local, thread-safe.
   *
   * @param chunkShape the shape of a chunk in elements; if omitted, Skerry chooses it from the
   *     extent and the datatype
   * @return the changed copy
   * @throws IllegalArgumentException if the dataset is a scalar, the rank of the chunk shape is
   *     wrong, the chunk has no elements or more than 2^32 - 1 bytes, or early allocation was
   *     requested
   */
  public DatasetSpec sparse(long... chunkShape) {
    return stored(Storage.SPARSE, chunkShape, access);
  }

  /**
   * Returns the specification with {@link Storage#STRUCTURED} chunks. Local, thread-safe.
   *
   * @param chunkShape the shape of a chunk in elements; if omitted, Skerry chooses it from the
   *     extent and the datatype
   * @return the changed copy
   * @throws IllegalArgumentException if the datatype has no variable-length parts, the dataset is a
   *     scalar, the rank of the chunk shape is wrong, the chunk has no elements or more than 2^32 -
   *     1 bytes, or early allocation was requested
   */
  public DatasetSpec structured(long... chunkShape) {
    return stored(Storage.STRUCTURED, chunkShape, access);
  }

  /**
   * Returns the specification of a virtual dataset, whose elements are those of other datasets. The
   * sources are not opened when the dataset is created; with unlimited mappings, the extent is that
   * of the specification until the dataset is opened again. Local, thread-safe.
   *
   * @param layout the mappings; the sources need not exist
   * @return the changed copy
   * @throws IllegalArgumentException if the dataset has filters, or if a mapping breaks the rules
   *     of {@link VirtualLayout.Builder#map}, differs in rank from the dataset or is not within its
   *     extent; an unlimited dimension may exceed the extent
   * @throws ArithmeticException if a mapping selects more than 2^63 - 1 elements
   */
  public DatasetSpec virtual(VirtualLayout layout) {
    return with(draft -> {
      draft.storage = Storage.VIRTUAL;
      draft.chunk = new long[0];
      draft.virtual = Optional.of(layout);
    });
  }

  private DatasetSpec stored(Storage how, long[] chunkShape, AccessPattern use) {
    return with(draft -> {
      draft.storage = how;
      draft.chunk = chunkShape;
      draft.access = use;
      draft.virtual = Optional.empty();
    });
  }

  /**
   * Returns the specification with a different treatment of partial edge chunks. Local,
   * thread-safe; does not fail.
   *
   * @param how the treatment of partial edge chunks
   * @return the changed copy
   */
  public DatasetSpec edges(Edges how) {
    return with(draft -> draft.edges = Objects.requireNonNull(how));
  }

  /**
   * Returns the specification with a different treatment of unwritten elements. Local, thread-safe.
   *
   * @param how the treatment of unwritten elements
   * @return the changed copy
   * @throws IllegalArgumentException for any value except {@link Filling#VALUE} if elements have
   *     variable-length parts and the dataset is not sparse, and for {@link Filling#UNDEFINED} if a
   *     fill value was given
   */
  public DatasetSpec filling(Filling how) {
    return with(draft -> draft.filling = Objects.requireNonNull(how));
  }

  /**
   * Returns the specification with filters; they apply to all sections of sparse and structured
   * chunks. Local, thread-safe.
   *
   * @param specs the filters, in the order in which a write applies them
   * @return the changed copy
   * @throws IllegalArgumentException if there are filters and the dataset is a scalar, is compact,
   *     contiguous or virtual, or has a null dataspace, or if there are more than 32 filters
   */
  public DatasetSpec filters(FilterSpec... specs) {
    return withFilters(SectionPipelines.all(new FilterPipeline(List.of(specs))));
  }

  /**
   * Returns the specification with different filters for one section of sparse or structured
   * chunks. Local, thread-safe.
   *
   * @param section the number of the section: 0 for the locations, 1 for the values, 2 for the heap
   * @param specs the filters, in the order in which a write applies them
   * @return the changed copy
   * @throws IllegalArgumentException if there are filters and the dataset is a scalar, is compact,
   *     contiguous or virtual, or has a null dataspace, or if there are more than 32 filters
   * @throws IndexOutOfBoundsException if there is no such section
   */
  public DatasetSpec sectionFilters(int section, FilterSpec... specs) {
    return withFilters(filters.with(section, new FilterPipeline(List.of(specs))));
  }

  /**
   * Returns the specification with a fill value. Local, thread-safe.
   *
   * @param value one element in the file datatype; the array is copied
   * @return the changed copy
   * @throws IllegalArgumentException if the array does not have the size of an element, or {@link
   *     Filling#UNDEFINED} was requested
   */
  public DatasetSpec fillValue(byte... value) {
    if (value.length != datatype.size()) {
      throw new IllegalArgumentException(
          "fill value of another size: expected=" + datatype.size() + " actual=" + value.length);
    }
    return with(draft -> draft.fill = Optional.of(value.clone()));
  }

  /**
   * Returns the specification with a different encoding of the locations of the defined elements in
   * sparse chunks. Local, thread-safe; does not fail.
   *
   * @param how the encoding
   * @return the changed copy
   */
  public DatasetSpec encoding(SelectionEncoding how) {
    return with(draft -> draft.encoding = Objects.requireNonNull(how));
  }

  /**
   * Returns the specification with different creation-order tracking for attributes. Local,
   * thread-safe; does not fail.
   *
   * @param order the creation-order tracking
   * @return the changed copy
   */
  public DatasetSpec attributeOrder(AttributeOrder order) {
    return with(draft -> draft.attributeOrder = Objects.requireNonNull(order));
  }

  /**
   * Returns the specification with a different time of allocation. Local, thread-safe.
   *
   * @param when the time of allocation
   * @return the changed copy
   * @throws IllegalArgumentException for {@link Allocation#EARLY} if the dataset has sparse or
   *     structured chunks
   * @throws io.skerry.exception.UnsupportedFeatureException for {@link Allocation#EARLY} if the
   *     dataset has filters, can grow or does not use dense chunks
   */
  public DatasetSpec allocation(Allocation when) {
    return with(draft -> draft.allocation = Objects.requireNonNull(when));
  }

  /**
   * Returns the specification with the given filter pipelines. Local, thread-safe.
   *
   * @param pipelines one pipeline for each section; {@link Storage#DENSE} chunks use only the first
   * @return the changed copy
   * @throws IllegalArgumentException if there are filters and the dataset is a scalar, is compact,
   *     contiguous or virtual, or has a null dataspace
   */
  public DatasetSpec withFilters(SectionPipelines pipelines) {
    return with(draft -> draft.filters = pipelines);
  }

  /**
   * Returns the specification with a different extent. Local, thread-safe.
   *
   * @param extent the current and the maximum extent, in elements
   * @return the changed copy
   * @throws IllegalArgumentException if the storage cannot represent a dataset of this extent
   * @throws io.skerry.exception.UnsupportedFeatureException if {@linkplain Allocation#EARLY early}
   *     allocation was requested and the extent can grow
   */
  public DatasetSpec withShape(Shape extent) {
    return with(draft -> draft.shape = Objects.requireNonNull(extent));
  }

  /**
   * Returns the storage that the dataset will have. Local, thread-safe; does not fail.
   *
   * @return the storage; never {@link Storage#AUTOMATIC}
   */
  public Storage resolvedStorage() {
    if (storage != Storage.AUTOMATIC) {
      return storage;
    }
    return shape.isExtendible() || filters.isFiltered() ? Storage.DENSE : Storage.CONTIGUOUS;
  }

  /**
   * Returns the chunk shape that the dataset will have if it is chunked. Local, thread-safe; does
   * not fail.
   *
   * @return the size of a chunk along each dimension, in elements
   */
  public long[] resolvedChunk() {
    return chunk.length > 0 ? chunk.clone() : ChunkGuess.of(shape, datatype.size(), access);
  }

  /**
   * Returns the requested chunk shape. Local, thread-safe; does not fail.
   *
   * @return a copy of the size of a chunk along each dimension, in elements; empty if Skerry
   *     chooses it, or if the dataset is not chunked
   */
  @Override
  public long[] chunk() {
    return chunk.clone();
  }

  /**
   * Returns the fill value. Local, thread-safe; does not fail.
   *
   * @return a copy of one element in the file datatype; empty for zeros
   */
  @Override
  public Optional<byte[]> fill() {
    return fill.map(byte[]::clone);
  }

  /**
   * Describes the specification completely, so that the ranks can compare their specifications.
   * Local, thread-safe; does not fail.
   *
   * @return the description; equal specifications have equal descriptions
   */
  public String describe() {
    return datatype
        + committed.map(path -> " shared with " + path).orElse("")
        + " "
        + shape
        + " "
        + storage
        + " chunk="
        + Arrays.toString(chunk)
        + " access="
        + access
        + " filters="
        + text(filters)
        + " fill="
        + fill.map(Arrays::toString).orElse("zeros")
        + " encoding="
        + encoding
        + " attributeOrder="
        + attributeOrder
        + " allocation="
        + allocation
        + " edges="
        + edges
        + " filling="
        + filling
        + virtual.map(layout -> " virtual=" + layout).orElse("");
  }

  /** Returns the filters of each section, for messages. Local, thread-safe; does not fail. */
  static List<?> text(SectionPipelines filters) {
    return filters.bySection().stream().map(FilterPipeline::filters).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatasetSpec that && describe().equals(that.describe());
  }

  @Override
  public int hashCode() {
    return describe().hashCode();
  }

  @Override
  public String toString() {
    return describe();
  }
}
