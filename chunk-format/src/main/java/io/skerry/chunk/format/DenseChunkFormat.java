package io.skerry.chunk.format;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.pipeline.FilterPipeline;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The format of ordinary HDF5 chunks, in which every element has a value.
 *
 * <pre>
 * 0                               elements × type size
 * +------+------+-- … --+--------+
 * | e[0] | e[1] |       | e[n-1] |  row-major, file datatype; then the filters
 * +------+------+-- … --+--------+
 * </pre>
 *
 * {@link DenseChunk} describes the form of a chunk in memory.
 *
 * <p>Source: HDF5 file format specification, section IV.A.2.i.
 */
public final class DenseChunkFormat implements ChunkFormat {
  private final ChunkElements geometry;
  private final FilterPipeline pipeline;

  /**
   * True if index records contain a filter mask. In a filtered dataset, this includes the records
   * of chunks that are stored without filters.
   */
  private final boolean masked;

  private DenseChunkFormat(ChunkElements geometry, FilterPipeline pipeline, boolean masked) {
    this.geometry = geometry;
    this.pipeline = pipeline;
    this.masked = masked;
  }

  /**
   * Returns the format of unfiltered chunks whose fill value is all zeros.
   *
   * @param chunkShape the shape of a chunk, in elements
   * @param datatype the type of an element in the file
   * @throws IllegalArgumentException if the rank is not 1 to 32, if a size is not positive, or if a
   *     chunk has more than 2^32-1 elements or more than 2^32-1 bytes
   */
  public static DenseChunkFormat of(long[] chunkShape, Datatype datatype) {
    return new DenseChunkFormat(
        ChunkElements.of(chunkShape, datatype), FilterPipeline.none(), false);
  }

  /**
   * Returns this format with a different fill value.
   *
   * @param value one element in the file datatype; copied
   * @throws IllegalArgumentException if the value does not have the size of an element
   */
  public DenseChunkFormat withFill(MemorySegment value) {
    return new DenseChunkFormat(geometry.withFill(value), pipeline, masked);
  }

  /**
   * Returns this format with filters. Incomplete client data is completed, where possible, from the
   * datatype, the chunk shape and the fill value. For this reason, set the fill value first.
   *
   * @throws IllegalArgumentException if a filter finds its client data invalid
   */
  public DenseChunkFormat withPipeline(FilterPipeline filters) {
    FilterTarget target =
        FilterTarget.chunk(geometry.type(), geometry.shape(), Optional.of(geometry.fill()));
    return new DenseChunkFormat(geometry, filters.bindWherePossible(target), !filters.isEmpty());
  }

  @Override
  public DenseChunkFormat withoutFilters() {
    return new DenseChunkFormat(geometry, FilterPipeline.none(), masked);
  }

  /** Returns the filters, with their client data. */
  public FilterPipeline pipeline() {
    return pipeline;
  }

  /** Returns the fill value as one read-only element. */
  public MemorySegment fillValue() {
    return geometry.fill();
  }

  @Override
  public long[] chunkShape() {
    return geometry.shape();
  }

  @Override
  public long elements() {
    return geometry.count();
  }

  @Override
  public Datatype datatype() {
    return geometry.type();
  }

  @Override
  public Definedness definedness() {
    return Definedness.ALL;
  }

  @Override
  public EncodedSize encodedSize() {
    return pipeline.isEmpty()
        ? new EncodedSize.Exactly(geometry.bytes(elements()))
        : new EncodedSize.Unknown();
  }

  @Override
  public OptionalLong storedAt(long element) {
    return pipeline.isEmpty() ? OptionalLong.of(geometry.bytes(element)) : OptionalLong.empty();
  }

  @Override
  public long encodingBytes(MemoryChunk chunk) {
    long image = geometry.bytes(elements());
    long filtered = pipeline.isEmpty() ? 0 : image;
    return filtered
        + switch (dense(chunk)) {
          case DenseChunk.Unwritten _, DenseChunk.Whole _ -> image;
          case DenseChunk.Paged paged -> image + paged.bytes();
        };
  }

  @Override
  public MemoryChunk newChunk() {
    return new DenseChunk.Unwritten(geometry);
  }

  @Override
  public MemoryChunk decode(ChunkImage image) {
    MemorySegment values = values(image, (bytes, _) -> HeapBytes.allocate(bytes));
    return new DenseChunk.Whole(geometry, owned(values, image.bytes()));
  }

  @Override
  public MemorySegment readStored(ChunkImage image, RunSet elements, SegmentAllocator memory) {
    geometry.check(elements);
    MemorySegment values = values(image, memory);
    if (elements.count() == elements()) {
      return values;
    }
    MemorySegment packed = memory.allocate(geometry.bytes(elements.count()));
    DenseChunk.gather(geometry, values, elements, packed);
    return packed;
  }

  /** Decodes the values of all elements; the result may be a view of the image. */
  private MemorySegment values(ChunkImage image, SegmentAllocator memory) {
    SectionTable table = image.sections();
    if (table.sections() != 1) {
      throw new FormatException("sections of a dense chunk", 1, table.sections());
    }
    long expected = geometry.bytes(elements());
    MemorySegment stored = image.bytes();
    MemorySegment values =
        pipeline.isEmpty() ? stored : pipeline.undo(stored, table.filterMask(0), expected, memory);
    if (values.byteSize() != expected) {
      throw new FormatException("bytes of a dense chunk", expected, values.byteSize());
    }
    return values;
  }

  /**
   * Returns the values in a heap segment that shares no memory with the image, because the memory
   * of the image may be reused.
   */
  static MemorySegment owned(MemorySegment values, MemorySegment image) {
    boolean shares = image.asOverlappingSlice(values).isPresent();
    return shares || values.isNative() ? HeapBytes.copyOf(values) : values;
  }

  @Override
  public RunSet decodeDefined(ChunkImage image) {
    return RunSet.range(0, elements());
  }

  @Override
  public Optional<ChunkImage> encode(MemoryChunk chunk) {
    return Optional.of(image(dense(chunk).values()));
  }

  @Override
  public Optional<ChunkImage> encodeWritten(RunSet elements, MemorySegment packed) {
    geometry.check(elements, packed);
    return elements.count() == elements()
        ? Optional.of(image(packed))
        : encode(write(newChunk(), elements, packed));
  }

  private ChunkImage image(MemorySegment values) {
    FilterPipeline.Encoded encoded = pipeline.apply(values);
    long size = encoded.bytes().byteSize();
    SectionTable table =
        masked ? SectionTable.filtered(size, encoded.mask()) : SectionTable.plain(size);
    return new ChunkImage(encoded.bytes().asReadOnly(), table);
  }

  @Override
  public MemoryChunk write(MemoryChunk base, RunSet elements, MemorySegment packed) {
    geometry.check(elements, packed);
    DenseChunk old = dense(base);
    if (elements.isEmpty()) {
      return old;
    }
    return elements.count() == elements()
        ? new DenseChunk.Whole(geometry, HeapBytes.copyOf(packed))
        : old.write(elements, packed);
  }

  @Override
  public void read(MemoryChunk chunk, RunSet elements, MemorySegment packed) {
    geometry.check(elements, packed);
    dense(chunk).read(elements, packed);
  }

  @Override
  public void readRows(MemoryChunk chunk, ChunkRows rows, MemorySegment block) {
    geometry.check(rows, block);
    dense(chunk).readRows(rows, block);
  }

  @Override
  public RunSet defined(MemoryChunk chunk, RunSet elements) {
    dense(chunk);
    geometry.check(elements);
    return elements;
  }

  @Override
  public MemoryChunk erase(MemoryChunk base, RunSet elements) {
    throw new UnsupportedFeatureException("erase of elements", "a dense dataset");
  }

  @Override
  public MemoryChunk clip(MemoryChunk base, long[] valid) {
    RunSet inside = geometry.inside(RunSet.range(0, elements()), valid);
    DenseChunk old = dense(base);
    if (old instanceof DenseChunk.Unwritten || inside.count() == elements()) {
      return base;
    }
    MemorySegment packed = HeapBytes.allocate(geometry.bytes(inside.count()));
    old.read(inside, packed);
    return write(newChunk(), inside, packed);
  }

  private DenseChunk dense(MemoryChunk chunk) {
    if (chunk instanceof DenseChunk mine && mine.definedCount() == elements()) {
      return mine;
    }
    throw new IllegalArgumentException("a chunk of another format: chunk=" + chunk);
  }

  @Override
  public String toString() {
    return "dense " + geometry.describe() + " filters=" + pipeline.filters();
  }
}
