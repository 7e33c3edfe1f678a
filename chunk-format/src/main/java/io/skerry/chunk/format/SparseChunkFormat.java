package io.skerry.chunk.format;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.selection.SelectionEncoding;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * The format of structured chunks in a sparse dataset with elements of fixed size: the set of
 * defined elements, and their values. A chunk without defined elements is not stored.
 *
 * <p>The image consists of the sections without header or padding:
 *
 * <pre>
 * 0                               offset[1]                    size
 * +-------------------------------+---------------------------+
 * | section 0, filtered           | section 1, filtered       |
 * +-------------------------------+---------------------------+
 *
 * Section 0 before its filters: a dataspace with a selection, and its checksum
 *
 * 0    1    2    3      7        7+e         7+e+s      unfiltered size[0]
 * +----+----+----+------+--------+-----------+----------+
 * | 01 | 00 | 08 | e u32| extent | selection | checksum |
 * +----+----+----+------+--------+-----------+----------+
 *
 *   extent     dataspace message of the chunk's shape, e = 8 + 16 × rank bytes
 *   selection  the defined elements, coordinates relative to the chunk; "all" if all
 *   checksum   u32, lookup3 of everything before it, initial value 0
 *
 * Section 1 before its filters: the values of the defined elements only
 *
 * 0                                unfiltered size[1] = defined × type size
 * +------+------+-- … --+---------+
 * | v[0] | v[1] |       | v[d-1]  |  row-major order of the elements, file datatype
 * +------+------+-- … --+---------+
 * </pre>
 *
 * The chunk's index record holds the sizes and offsets. It holds unfiltered sizes and filter masks
 * only in datasets with a filter for at least one section.
 *
 * <p>In memory, a chunk consists of a {@link RunSet} and the packed values. A write merges the old
 * and the new runs and values; new values replace old ones. A partial edge chunk that another
 * program stored with the selection "all" has elements outside the extent until it is clipped with
 * {@link #clip}.
 *
 * <p>Sources: The HDF Group's RFC on the file format of structured chunks, version 28 (2025-10-09),
 * as implemented by the HDF5 branch {@code feature/sparse_data} (2026). The operations are those of
 * "RFC: Sparse Chunks" (N. Fortner, J. Mainzer, 2018), section 6.2.
 */
public final class SparseChunkFormat implements ChunkFormat {
  private static final int SECTIONS = 2;
  private static final int VALUES = 1;

  private final DefinedSection sets;
  private final StructuredImage images;

  private SparseChunkFormat(DefinedSection sets, StructuredImage images) {
    this.sets = sets;
    this.images = images;
  }

  /** A version of a sparse chunk: the defined elements and their packed values. */
  private record SparseChunk(RunSet defined, MemorySegment values, long elements)
      implements MemoryChunk {
    private static final long OVERHEAD = 128;

    /** The memory for a run, in bytes: its start, its end and the number of elements before it. */
    private static final long PER_RUN = 24;

    @Override
    public long bytes() {
      return OVERHEAD + PER_RUN * defined.runs() + values.byteSize();
    }

    @Override
    public long definedCount() {
      return defined.count();
    }
  }

  /**
   * Returns the format of unfiltered chunks with an all-zero fill value and the smallest encoding
   * of selections.
   *
   * @param chunkShape the shape of a chunk, in elements
   * @param datatype the type of an element in the file
   * @throws IllegalArgumentException if the rank is not 1 to 32, if a size is not positive, or if a
   *     chunk has more than 2^32-1 elements or more than 2^32-1 bytes
   * @throws UnsupportedFeatureException if the type contains a variable-length type
   */
  public static SparseChunkFormat of(long[] chunkShape, Datatype datatype) {
    if (!VariableLengthParts.of(datatype).isNone()) {
      throw new UnsupportedFeatureException("variable-length type " + datatype, "a sparse dataset");
    }
    return new SparseChunkFormat(
        new DefinedSection(ChunkElements.of(chunkShape, datatype), SelectionEncoding.SMALLEST),
        StructuredImage.plain(SECTIONS));
  }

  /**
   * Returns this format with a different fill value, the value that is read for undefined elements.
   *
   * @param value one element in the file datatype; copied
   * @throws IllegalArgumentException if the value does not have the size of an element
   */
  public SparseChunkFormat withFill(MemorySegment value) {
    return new SparseChunkFormat(
        new DefinedSection(geometry().withFill(value), encoding()), images);
  }

  /**
   * Returns this format with filters. Filters that lack an element size get {@link
   * #blockRecordSize()} in section 0 and the size of the datatype in section 1.
   *
   * @throws IllegalArgumentException if a filter finds its client data invalid
   */
  public SparseChunkFormat withPipelines(SectionPipelines filters) {
    return new SparseChunkFormat(
        sets,
        images.withPipelines(filters.bindWherePossible(blockRecordSize(), datatype().size())));
  }

  /**
   * Returns this format with a different encoding of selections for writing. All encodings can be
   * read.
   */
  public SparseChunkFormat withSelectionEncoding(SelectionEncoding newEncoding) {
    return new SparseChunkFormat(new DefinedSection(geometry(), newEncoding), images);
  }

  @Override
  public SparseChunkFormat withoutFilters() {
    return new SparseChunkFormat(sets, images.withoutFilters());
  }

  /** Returns the filters, with their client data. */
  public SectionPipelines pipelines() {
    return images.pipelines();
  }

  /** Returns the encoding in which selections are written. */
  public SelectionEncoding encoding() {
    return sets.encoding();
  }

  /** Returns the fill value as one read-only element. */
  public MemorySegment fillValue() {
    return geometry().fill();
  }

  /**
   * Returns the usual size of one block in section 0, in bytes: its first and last coordinates, in
   * the integer width that the encoding uses for this shape. The blocks of a list may be larger or
   * smaller. With this element size, the shuffle filter groups similar bytes.
   */
  public int blockRecordSize() {
    return SelectionCodec.blockRecordBytes(geometry().shape(), encoding());
  }

  private ChunkElements geometry() {
    return sets.geometry();
  }

  @Override
  public long[] chunkShape() {
    return geometry().shape();
  }

  @Override
  public long elements() {
    return geometry().count();
  }

  @Override
  public Datatype datatype() {
    return geometry().type();
  }

  @Override
  public Definedness definedness() {
    return Definedness.WRITTEN;
  }

  @Override
  public EncodedSize encodedSize() {
    return new EncodedSize.Unknown();
  }

  @Override
  public MemoryChunk newChunk() {
    return chunk(RunSet.empty(), HeapBytes.allocate(0));
  }

  @Override
  public MemoryChunk decode(ChunkImage image) {
    SectionTable table = image.sections();
    MemorySegment space = space(images.stored(image, DefinedSection.NUMBER), table);
    RunSet defined = sets.decode(space, table);
    MemorySegment stored = images.stored(image, VALUES);
    long expected = geometry().bytes(defined.count());
    MemorySegment values = images.unfiltered(VALUES, stored, table, expected);
    if (values.byteSize() != expected) {
      throw new FormatException("bytes of section 1", expected, values.byteSize());
    }
    MemorySegment ordered = sets.inOrder(values, space);
    return chunk(defined, DenseChunkFormat.owned(ordered, stored));
  }

  private MemorySegment space(MemorySegment stored, SectionTable table) {
    return images.verified(DefinedSection.NUMBER, stored, table, HeapBytes.MAX_ARRAY);
  }

  @Override
  public RunSet decodeDefined(ChunkImage image) {
    SectionTable table = image.sections();
    return sets.decode(space(images.stored(image, DefinedSection.NUMBER), table), table);
  }

  @Override
  public Optional<StoredLocations> locations(MemorySegment stored, SectionTable table) {
    return Optional.of(sets.locations(images, stored, table));
  }

  @Override
  public Optional<ChunkImage> encode(MemoryChunk chunk) {
    SparseChunk mine = sparse(chunk);
    return mine.defined().isEmpty()
        ? Optional.empty()
        : Optional.of(
            images.assemble(
                List.of(
                    sets.encode(mine.defined(), images.pipelines().of(DefinedSection.NUMBER)),
                    mine.values())));
  }

  @Override
  public MemoryChunk write(MemoryChunk base, RunSet elements, MemorySegment packed) {
    geometry().check(elements, packed);
    SparseChunk old = sparse(base);
    if (elements.isEmpty()) {
      return old;
    }
    RunSet kept = old.defined().subtract(elements);
    if (kept.isEmpty()) {
      return chunk(elements, HeapBytes.copyOf(packed));
    }
    RunSet union = old.defined().union(elements);
    MemorySegment values = HeapBytes.allocate(geometry().bytes(union.count()));
    int size = datatype().size();
    PackedCopy.copy(kept, old.defined(), old.values(), union, values, size);
    PackedCopy.copy(elements, elements, packed, union, values, size);
    return chunk(union, values);
  }

  @Override
  public void read(MemoryChunk chunk, RunSet elements, MemorySegment packed) {
    geometry().check(elements, packed);
    SparseChunk mine = sparse(chunk);
    PackedCopy.copyPresent(
        elements, mine.defined(), mine.values(), packed, datatype().size(), geometry()::fillUp);
  }

  @Override
  public RunSet defined(MemoryChunk chunk, RunSet elements) {
    geometry().check(elements);
    return sparse(chunk).defined().intersect(elements);
  }

  @Override
  public MemoryChunk erase(MemoryChunk base, RunSet elements) {
    geometry().check(elements);
    SparseChunk old = sparse(base);
    return restricted(old, old.defined().subtract(elements));
  }

  @Override
  public MemoryChunk clip(MemoryChunk base, long[] valid) {
    SparseChunk old = sparse(base);
    return restricted(old, geometry().inside(old.defined(), valid));
  }

  private MemoryChunk restricted(SparseChunk old, RunSet kept) {
    if (kept.count() == old.defined().count()) {
      return old;
    }
    MemorySegment values = HeapBytes.allocate(geometry().bytes(kept.count()));
    PackedCopy.copy(kept, old.defined(), old.values(), kept, values, datatype().size());
    return chunk(kept, values);
  }

  private SparseChunk chunk(RunSet defined, MemorySegment values) {
    return new SparseChunk(defined, values, elements());
  }

  private SparseChunk sparse(MemoryChunk chunk) {
    if (chunk instanceof SparseChunk mine && mine.elements() == elements()) {
      return mine;
    }
    throw new IllegalArgumentException("a chunk of another format: chunk=" + chunk);
  }

  @Override
  public String toString() {
    return "sparse " + geometry().describe() + " filters=" + pipelines().bySection();
  }
}
