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
 * How a new dataset is to be stored. Immutable; each wither gives a changed copy.
 *
 * @param datatype type of an element in the file
 * @param committed path of the named datatype that the dataset shares, if it does
 * @param shape extent and maximum
 * @param storage the layout asked for
 * @param chunk shape of a chunk; empty if it is to be guessed, or there are none
 * @param access how the dataset will be read, for the guess
 * @param filters filters of each section; a dense dataset has only the first
 * @param fill bytes of the fill value in the file datatype; empty for zeros
 * @param encoding how a sparse chunk writes down which elements are defined
 * @param attributeOrder whether it remembers the order in which its attributes were created
 * @param allocation when it takes space in the file
 * @param edges whether filters apply to partial chunks at the edge
 * @param filling what the file says about elements that nobody wrote
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

  /** Where the elements stand. */
  public enum Storage {
    /** In one block if the dataset cannot grow and has no filter, else in dense chunks. */
    AUTOMATIC,
    /** In the object header: at most 65531 bytes. */
    COMPACT,
    /** In one block, taken at the first write. */
    CONTIGUOUS,
    /** In chunks, and every element has a value. Any HDF5 ≥ 1.10 reads it. */
    DENSE,
    /** In chunks, and only elements that were written exist. */
    SPARSE,
    /**
     * In chunks that keep the variable-length content of their elements, where it is filtered with
     * all else; every element has a value. Read by what reads sparse datasets.
     */
    STRUCTURED,
    /** Nowhere: the dataset has a type and no elements. */
    NULL
  }

  /** When space in the file is taken. */
  public enum Allocation {
    /** When something is written: all of it in one block, chunk by chunk in chunks. */
    AS_WRITTEN,
    /** When the dataset is created: for unfiltered dense chunks in an extent that cannot grow. */
    EARLY
  }

  /** Whether filters apply to chunks that stick out over the extent. */
  public enum Edges {
    /** They do. */
    FILTERED,
    /**
     * Such chunks are stored as they are until the extent has grown over them, so that what is
     * appended to them bit by bit need not be filtered anew. HDF5 from 1.10 on reads it.
     */
    UNFILTERED
  }

  /**
   * What the file says about elements that nobody wrote. Here they read as the fill value, or as
   * zeros where there is none, whatever it says; other libraries may give what happens to be there.
   */
  public enum Filling {
    /** They are the fill value, or zeros if none was given. */
    VALUE,
    /** There is a fill value, but space is not filled with it. */
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

  /** A dataset whose storage suits it, see {@link Storage#AUTOMATIC}. */
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

  /** A dataset that shares a datatype committed to the same file. */
  public static DatasetSpec of(NamedDatatype type, Shape shape) {
    DatasetSpec plain = of(type.datatype(), shape);
    return plain.with(draft -> draft.committed = Optional.of(type.path()));
  }

  /** A dataset of a type without any element: the null dataspace. */
  public static DatasetSpec withoutElements(Datatype datatype) {
    return of(datatype, Shape.scalar()).stored(Storage.NULL, new long[0], AccessPattern.BLOCKS);
  }

  /** All elements in the object header, which suits a few values. */
  public DatasetSpec compact() {
    return stored(Storage.COMPACT, new long[0], access);
  }

  /** All elements in one block. */
  public DatasetSpec contiguous() {
    return stored(Storage.CONTIGUOUS, new long[0], access);
  }

  /** Dense chunks of this shape; without one it is guessed from extent and type. */
  public DatasetSpec chunked(long... chunkShape) {
    return stored(Storage.DENSE, chunkShape, access);
  }

  /** Dense chunks, their shape guessed from extent, type and use. */
  public DatasetSpec chunked(AccessPattern use) {
    return stored(Storage.DENSE, new long[0], use);
  }

  /** Sparse chunks of this shape; without one it is guessed from extent and type. */
  public DatasetSpec sparse(long... chunkShape) {
    return stored(Storage.SPARSE, chunkShape, access);
  }

  /**
   * Dense chunks of this shape that keep the variable-length content of their elements, see {@link
   * Storage#STRUCTURED}; without a shape it is guessed.
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

  /** Whether filters apply to partial chunks at the edge. */
  public DatasetSpec edges(Edges how) {
    return with(draft -> draft.edges = how);
  }

  /**
   * What the file says about elements that nobody wrote.
   *
   * @throws IllegalArgumentException for anything but {@link Filling#VALUE} if elements have
   *     content of variable length and the dataset is not sparse, and for {@link Filling#UNDEFINED}
   *     if a fill value was given
   */
  public DatasetSpec filling(Filling how) {
    return with(draft -> draft.filling = how);
  }

  /** These filters, in this order; for a sparse dataset on every section. */
  public DatasetSpec filters(FilterSpec... specs) {
    return withFilters(SectionPipelines.all(new FilterPipeline(List.of(specs))));
  }

  /** These filters on one section of a sparse dataset; the other sections keep theirs. */
  public DatasetSpec sectionFilters(int section, FilterSpec... specs) {
    return withFilters(filters.with(section, new FilterPipeline(List.of(specs))));
  }

  /** The value of elements that were never written, in the file datatype. */
  public DatasetSpec fillValue(byte... value) {
    if (value.length != datatype.size()) {
      throw new IllegalArgumentException(
          "fill value of another size: expected=" + datatype.size() + " actual=" + value.length);
    }
    return with(draft -> draft.fill = Optional.of(value.clone()));
  }

  /** How defined elements are written down in sparse chunks. */
  public DatasetSpec encoding(SelectionEncoding how) {
    return with(draft -> draft.encoding = how);
  }

  /** Whether it remembers the order in which its attributes were created. */
  public DatasetSpec attributeOrder(AttributeOrder order) {
    return with(draft -> draft.attributeOrder = order);
  }

  /**
   * When it takes space.
   *
   * @throws IllegalArgumentException for {@link Allocation#EARLY} if the dataset is sparse
   * @throws io.skerry.exception.UnsupportedFeatureException for it if the dataset has filters, can
   *     grow or is not in dense chunks
   */
  public DatasetSpec allocation(Allocation when) {
    return with(draft -> draft.allocation = when);
  }

  /**
   * These pipelines, one per section; a dense dataset has only the first. Pipelines change by
   * {@link SectionPipelines#changed}.
   */
  public DatasetSpec withFilters(SectionPipelines pipelines) {
    return with(draft -> draft.filters = pipelines);
  }

  /** The storage it will have: never {@link Storage#AUTOMATIC}. */
  public Storage resolvedStorage() {
    if (storage != Storage.AUTOMATIC) {
      return storage;
    }
    return shape.isExtendible() || filters.isFiltered() ? Storage.DENSE : Storage.CONTIGUOUS;
  }

  /** The chunk shape it will have, guessed if none was given. */
  public long[] resolvedChunk() {
    return chunk.length > 0 ? chunk.clone() : ChunkGuess.of(shape, datatype.size(), access);
  }

  @Override
  public long[] chunk() {
    return chunk.clone();
  }

  /** What must be equal on all ranks, as text. */
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
