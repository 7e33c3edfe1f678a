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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The specification of a new dataset: datatype, extent, storage, filters. Immutable; each method
 * returns a changed copy. Methods throw {@link IllegalArgumentException} for a combination that
 * cannot be stored.
 *
 * @param datatype the datatype of an element in the file
 * @param committed the path of the committed datatype that the dataset shares; empty if none
 * @param shape the current and the maximum extent, in elements
 * @param storage the requested layout
 * @param chunk the shape of a chunk in elements; empty if it is chosen by Skerry, or without chunks
 * @param access the expected order of reads, for the choice of the chunk shape
 * @param filters the filters of each section; only the first is used by a dense dataset
 * @param fill the fill value in the datatype of the file; empty for zeros
 * @param encoding the encoding of the defined elements of a sparse chunk
 * @param attributeOrder whether the creation order of attributes is tracked
 * @param allocation the time at which space is allocated
 * @param edges whether filters apply to partial edge chunks
 * @param filling the statement of the file about unwritten elements
 */
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
    Filling filling) {

  /** Most bytes of a compact dataset: the message that holds them has at most 65535. */
  private static final int COMPACT_LIMIT = 0xffff - 4;

  /** The layout of the elements. */
  public enum Storage {
    /** Contiguous if the dataset cannot grow and has no filter, else dense chunks. */
    AUTOMATIC,
    /** Compact: in the object header, at most 65,531 bytes. */
    COMPACT,
    /** Contiguous: one block, allocated at the first write. */
    CONTIGUOUS,
    /** Dense chunks: every element has a value. HDF5 from 1.10 on reads them. */
    DENSE,
    /** Sparse chunks: only elements that were written exist. */
    SPARSE,
    /**
     * Dense chunks that hold the contents of variable length of their elements, filtered with them.
     * Programs that read sparse datasets read them.
     */
    STRUCTURED,
    /** No elements: the dataspace is null. */
    NULL
  }

  /** The time at which space in the file is allocated. */
  public enum Allocation {
    /** At a write: the whole of a contiguous dataset, single chunks of a chunked one. */
    AS_WRITTEN,
    /** At creation; for dense chunks without filters in an extent that cannot grow. */
    EARLY
  }

  /** The treatment of partial edge chunks, which exceed the extent. */
  public enum Edges {
    /** Filters apply to them. */
    FILTERED,
    /**
     * They are stored without filters until the extent covers them, so that appended elements do
     * not make them be filtered again and again. HDF5 from 1.10 on reads them.
     */
    UNFILTERED
  }

  /**
   * The statement of the file about unwritten elements. Skerry reads them as the fill value, or as
   * zeros without one; other libraries may return arbitrary bytes.
   */
  public enum Filling {
    /** Unwritten elements are the fill value, or zeros. */
    VALUE,
    /** There is a fill value, but allocated space is not filled with it. */
    NEVER,
    /** There is no fill value, not even zeros. */
    UNDEFINED
  }

  /** Checks and copies. */
  public DatasetSpec {
    chunk = chunk.clone();
    boolean chunks =
        storage == Storage.DENSE || storage == Storage.SPARSE || storage == Storage.STRUCTURED;
    if (storage == Storage.STRUCTURED && VariableLengthParts.of(datatype).isNone()) {
      throw new IllegalArgumentException(
          "structured chunks of every element are for values of variable length: type=" + datatype);
    }
    boolean needsChunks = chunks || shape.isExtendible() || filters.isFiltered();
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
   * Returns the number of bytes of all elements in the datatype of the file, without filters.
   * Local.
   *
   * @throws IllegalArgumentException if it exceeds 2^63-1
   */
  public long bytes() {
    return SpecRules.bytes(datatype, shape);
  }

  /** The parts of a specification while one of them is changed. */
  private static final class Draft {
    private final Datatype datatype;
    private Optional<String> committed;
    private final Shape shape;
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
          filling);
    }
  }

  private DatasetSpec with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /** Returns the specification of a dataset with {@link Storage#AUTOMATIC} storage. */
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
        Filling.VALUE);
  }

  /** Returns the specification of a dataset that shares a committed datatype of the same file. */
  public static DatasetSpec of(NamedDatatype type, Shape shape) {
    DatasetSpec plain = of(type.datatype(), shape);
    return plain.with(draft -> draft.committed = Optional.of(type.path()));
  }

  /** Returns the specification of a dataset without elements: with a null dataspace. */
  public static DatasetSpec withoutElements(Datatype datatype) {
    return of(datatype, Shape.scalar()).stored(Storage.NULL, new long[0], AccessPattern.BLOCKS);
  }

  /** Returns the specification with compact storage, for a few values. */
  public DatasetSpec compact() {
    return stored(Storage.COMPACT, new long[0], access);
  }

  /** Returns the specification with contiguous storage. */
  public DatasetSpec contiguous() {
    return stored(Storage.CONTIGUOUS, new long[0], access);
  }

  /**
   * Returns the specification with dense chunks.
   *
   * @param chunkShape in elements; if left out, Skerry chooses it from extent and datatype
   */
  public DatasetSpec chunked(long... chunkShape) {
    return stored(Storage.DENSE, chunkShape, access);
  }

  /** Returns the specification with dense chunks whose shape suits an order of reads. */
  public DatasetSpec chunked(AccessPattern use) {
    return stored(Storage.DENSE, new long[0], use);
  }

  /**
   * Returns the specification with sparse chunks.
   *
   * @param chunkShape in elements; if left out, Skerry chooses it from extent and datatype
   */
  public DatasetSpec sparse(long... chunkShape) {
    return stored(Storage.SPARSE, chunkShape, access);
  }

  /**
   * Returns the specification with {@link Storage#STRUCTURED} chunks.
   *
   * @param chunkShape in elements; if left out, Skerry chooses it from extent and datatype
   */
  public DatasetSpec structured(long... chunkShape) {
    return stored(Storage.STRUCTURED, chunkShape, access);
  }

  private DatasetSpec stored(Storage how, long[] chunkShape, AccessPattern use) {
    return with(draft -> {
      draft.storage = how;
      draft.chunk = chunkShape;
      draft.access = use;
    });
  }

  /** Returns the specification with another treatment of partial edge chunks. */
  public DatasetSpec edges(Edges how) {
    return with(draft -> draft.edges = how);
  }

  /**
   * Returns the specification with another statement about unwritten elements.
   *
   * @throws IllegalArgumentException for anything but {@link Filling#VALUE} if elements have
   *     content of variable length and the dataset is not sparse, and for {@link Filling#UNDEFINED}
   *     if a fill value was given
   */
  public DatasetSpec filling(Filling how) {
    return with(draft -> draft.filling = how);
  }

  /** Returns the specification with filters, in this order; on all sections of a sparse dataset. */
  public DatasetSpec filters(FilterSpec... specs) {
    return withFilters(SectionPipelines.all(new FilterPipeline(List.of(specs))));
  }

  /** Returns the specification with other filters of one section of a sparse dataset. */
  public DatasetSpec sectionFilters(int section, FilterSpec... specs) {
    return withFilters(filters.with(section, new FilterPipeline(List.of(specs))));
  }

  /** Returns the specification with a fill value, in the datatype of the file. */
  public DatasetSpec fillValue(byte... value) {
    if (value.length != datatype.size()) {
      throw new IllegalArgumentException(
          "fill value of another size: expected=" + datatype.size() + " actual=" + value.length);
    }
    return with(draft -> draft.fill = Optional.of(value.clone()));
  }

  /** Returns the specification with another encoding of the defined elements of sparse chunks. */
  public DatasetSpec encoding(SelectionEncoding how) {
    return with(draft -> draft.encoding = how);
  }

  /** Returns the specification with or without tracking of the creation order of attributes. */
  public DatasetSpec attributeOrder(AttributeOrder order) {
    return with(draft -> draft.attributeOrder = order);
  }

  /**
   * Returns the specification with another time of allocation.
   *
   * @throws IllegalArgumentException for {@link Allocation#EARLY} if the dataset is sparse
   * @throws io.skerry.exception.UnsupportedFeatureException for it if the dataset has filters, can
   *     grow or is not in dense chunks
   */
  public DatasetSpec allocation(Allocation when) {
    return with(draft -> draft.allocation = when);
  }

  /**
   * Returns the specification with filter pipelines, one for each section; a dense dataset uses the
   * first only. {@link SectionPipelines#changed} changes one of them.
   */
  public DatasetSpec withFilters(SectionPipelines pipelines) {
    return with(draft -> draft.filters = pipelines);
  }

  /** The storage that the dataset gets: never {@link Storage#AUTOMATIC}. */
  public Storage resolvedStorage() {
    if (storage != Storage.AUTOMATIC) {
      return storage;
    }
    return shape.isExtendible() || filters.isFiltered() ? Storage.DENSE : Storage.CONTIGUOUS;
  }

  /** The chunk shape that the dataset gets, in elements. */
  public long[] resolvedChunk() {
    return chunk.length > 0 ? chunk.clone() : ChunkGuess.of(shape, datatype.size(), access);
  }

  @Override
  public long[] chunk() {
    return chunk.clone();
  }

  /** The parts that must be equal on all ranks, as text. */
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
        + filling;
  }

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
