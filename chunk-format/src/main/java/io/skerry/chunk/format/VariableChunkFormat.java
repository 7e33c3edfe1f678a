package io.skerry.chunk.format;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.ChunkHeap;
import io.skerry.chunk.content.ContentArea;
import io.skerry.chunk.content.ContentCopy;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.ContentSections;
import io.skerry.chunk.content.ContentSink;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.selection.SelectionEncoding;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Optional;

/**
 * The format of structured chunks in a dataset whose elements have variable-length parts: the set
 * of defined elements, the elements, and a heap with the content of their parts. A chunk is
 * self-contained: it does not use the global heap of the file, and the content is filtered like the
 * other sections. A chunk without defined elements is not stored.
 *
 * <p>The image consists of the sections without header or padding:
 *
 * <pre>
 * 0                     offset[1]             offset[2]             size
 * +---------------------+---------------------+---------------------+
 * | section 0, filtered | section 1, filtered | section 2, filtered |
 * +---------------------+---------------------+---------------------+
 *
 * Section 0 before its filters: as in {@link SparseChunkFormat}
 *
 * Section 1 before its filters: the defined elements in row-major order, and a checksum
 *
 * 0                     defined × type size   unfiltered size[1]
 * +------+------+-- … --+---------------------+
 * | e[0] | e[1] |       | checksum u32        |
 * +------+------+-- … --+---------------------+
 *
 *   in an element, for each variable-length part:
 *
 *   0        4           6            8            size of the part
 *   +--------+-----------+------------+------------+
 *   | length | heap slot | object     | zeros      |
 *   | u32    | u16       | index u16  |            |
 *   +--------+-----------+------------+------------+
 *
 *     length           number of elements of the base type in the content
 *     slot and index   0 if the part has no heap object
 *
 *   A part has 16 bytes if the addresses in the file have 8 bytes.
 *
 * Section 2 before its filters: {@link ChunkHeap} and its checksum; empty without objects
 * </pre>
 *
 * Nested content is stored in the same heap, with descriptors of the same form. Checksums are
 * lookup3 of all bytes before them, initial value 0.
 *
 * <p>As in the global heap, an empty string has a heap object of zero bytes and an empty sequence
 * has no heap object. Every object that Skerry writes belongs to exactly one part.
 *
 * <p>Definedness is a property of the dataset and not of the image: in a dense dataset, elements
 * that the image omits have the fill value.
 *
 * <p>Source: The HDF Group's RFC on the file format of structured chunks, version 28 (2025-10-09),
 * as implemented by the HDF5 branch {@code feature/sparse_data} (2026).
 */
public final class VariableChunkFormat implements ChunkFormat {
  private static final int SECTIONS = 3;
  private static final int VALUES = 1;
  private static final int HEAP = 2;

  private final DefinedSection sets;
  private final StructuredImage images;
  private final ContentPacking packing;
  private final ContentSections content;
  private final Definedness definedness;
  private final PackedContent fill;

  private VariableChunkFormat(
      DefinedSection sets,
      StructuredImage images,
      ContentPacking packing,
      ContentSections content,
      Definedness definedness,
      PackedContent fill) {
    this.sets = sets;
    this.images = images;
    this.packing = packing;
    this.content = content;
    this.definedness = definedness;
    this.fill = fill;
  }

  /**
   * A version of a chunk: the defined elements, their packed values, and the content of the
   * variable-length parts.
   */
  private record VariableChunk(
      RunSet defined, PackedContent values, long elements, Definedness definedness)
      implements MemoryChunk {
    private static final long OVERHEAD = 160;

    /** The memory for a run, in bytes, as in {@link SparseChunkFormat}. */
    private static final long PER_RUN = 24;

    @Override
    public long bytes() {
      return OVERHEAD
          + PER_RUN * defined.runs()
          + values.elements().byteSize()
          + values.content().byteSize();
    }

    @Override
    public long definedCount() {
      return switch (definedness) {
        case ALL -> elements;
        case WRITTEN -> defined.count();
      };
    }
  }

  /**
   * Returns the format of unfiltered chunks of a sparse dataset. The fill value is all zeros, so
   * its variable-length parts are null. Selections are written in the smallest encoding.
   *
   * @param chunkShape the shape of a chunk, in elements
   * @param datatype the type of an element in the file
   * @param lengthSize the size of a length in the file, in bytes: 2, 4 or 8
   * @throws IllegalArgumentException if the rank is not 1 to 32, if a size is not positive, if a
   *     chunk has more than 2^32-1 elements or bytes, or if the type has no variable-length part
   * @throws UnsupportedFeatureException if a variable-length type has a size of less than 10 bytes
   */
  public static VariableChunkFormat of(long[] chunkShape, Datatype datatype, int lengthSize) {
    VariableLengthParts parts = VariableLengthParts.of(datatype);
    if (parts.isNone()) {
      throw new IllegalArgumentException("no part of variable length: type=" + datatype);
    }
    parts.forEach(0, (part, _) -> check(part));
    ChunkElements geometry = ChunkElements.of(chunkShape, datatype);
    ContentPacking packing = new ContentPacking(datatype.size(), parts);
    return new VariableChunkFormat(
        new DefinedSection(geometry, SelectionEncoding.SMALLEST),
        StructuredImage.plain(SECTIONS),
        packing,
        new ContentSections(packing, lengthSize),
        Definedness.WRITTEN,
        new PackedContent(geometry.fill(), HeapBytes.allocate(0)));
  }

  private static void check(VariableLengthParts.Part part) {
    if (part.type().size() < ContentCopy.DESCRIPTOR) {
      throw new UnsupportedFeatureException(
          "variable-length type of " + part.type().size() + " bytes", "a structured chunk");
    }
    part.inner().forEach(0, (inner, _) -> check(inner));
  }

  private VariableChunkFormat with(DefinedSection newSets, StructuredImage newImages) {
    return new VariableChunkFormat(newSets, newImages, packing, content, definedness, fill);
  }

  /**
   * Returns this format with a different fill value, the value that is read for undefined elements.
   *
   * @param value one element with its content as in {@link PackedContent}; copied
   * @throws IllegalArgumentException if the value is shorter than an element, or a descriptor in
   *     the value is invalid
   */
  public VariableChunkFormat withFill(MemorySegment value) {
    PackedContent given = PackedContent.split(HeapBytes.copyOf(value), datatype().size());
    try {
      copied(given, new ContentArea(), HeapBytes.allocate(datatype().size()));
    } catch (FormatException e) {
      throw new IllegalArgumentException("fill value: " + e.getMessage(), e);
    }
    return new VariableChunkFormat(sets, images, packing, content, definedness, given);
  }

  /**
   * Returns this format for a dense dataset: elements that were never written have the fill value.
   */
  public VariableChunkFormat dense() {
    return new VariableChunkFormat(sets, images, packing, content, Definedness.ALL, fill);
  }

  /**
   * Returns this format with filters. Filters that lack an element size get the size of a block
   * record in section 0, the size of an element in section 1, and one byte in section 2.
   *
   * @throws IllegalArgumentException if a filter finds its client data invalid
   */
  public VariableChunkFormat withPipelines(SectionPipelines filters) {
    int record = SelectionCodec.blockRecordBytes(sets.geometry().shape(), sets.encoding());
    return with(sets, images.withPipelines(filters.bindWherePossible(record, datatype().size())));
  }

  /**
   * Returns this format with a different encoding of selections for writing. All encodings can be
   * read.
   */
  public VariableChunkFormat withSelectionEncoding(SelectionEncoding encoding) {
    return with(new DefinedSection(sets.geometry(), encoding), images);
  }

  @Override
  public VariableChunkFormat withoutFilters() {
    return with(sets, images.withoutFilters());
  }

  @Override
  public long[] chunkShape() {
    return sets.geometry().shape();
  }

  @Override
  public long elements() {
    return sets.geometry().count();
  }

  @Override
  public Datatype datatype() {
    return sets.geometry().type();
  }

  @Override
  public Definedness definedness() {
    return definedness;
  }

  @Override
  public EncodedSize encodedSize() {
    return new EncodedSize.Unknown();
  }

  @Override
  public Optional<ContentPacking> contentPacking() {
    return Optional.of(packing);
  }

  @Override
  public MemoryChunk newChunk() {
    MemorySegment nothing = HeapBytes.allocate(0);
    return chunk(RunSet.empty(), new PackedContent(nothing, nothing));
  }

  @Override
  public MemoryChunk decode(ChunkImage image) {
    SectionTable table = images.checked(image.sections());
    MemorySegment space =
        images.verified(
            DefinedSection.NUMBER,
            images.stored(image, DefinedSection.NUMBER),
            table,
            HeapBytes.MAX_ARRAY);
    RunSet defined = sets.decode(space, table);
    long expected = packing.bytes(defined.count());
    MemorySegment values =
        images.verified(VALUES, images.stored(image, VALUES), table, expected + Integer.BYTES);
    if (values.byteSize() != expected) {
      throw new FormatException("bytes of section 1", expected + 4, values.byteSize() + 4);
    }
    MemorySegment stored = images.stored(image, HEAP);
    // A heap without objects has no bytes, and therefore no checksum.
    MemorySegment heap =
        stored.byteSize() == 0
            ? images.unfiltered(HEAP, stored, table, 0)
            : images.verified(HEAP, stored, table, HeapBytes.MAX_ARRAY);
    return chunk(defined, content.decode(sets.inOrder(values, space), heap));
  }

  @Override
  public RunSet decodeDefined(ChunkImage image) {
    SectionTable table = images.checked(image.sections());
    if (definedness == Definedness.ALL) {
      return RunSet.range(0, elements());
    }
    MemorySegment stored = images.stored(image, DefinedSection.NUMBER);
    return sets.decode(
        images.verified(DefinedSection.NUMBER, stored, table, HeapBytes.MAX_ARRAY), table);
  }

  @Override
  public Optional<StoredLocations> locations(MemorySegment stored, SectionTable table) {
    return Optional.of(sets.locations(images, stored, table));
  }

  @Override
  public Optional<ChunkImage> encode(MemoryChunk chunk) {
    VariableChunk mine = mine(chunk);
    if (mine.defined().isEmpty()) {
      return Optional.empty();
    }
    ContentSections.Sections made = content.encode(mine.values());
    MemorySegment selection =
        sets.encode(mine.defined(), images.pipelines().of(DefinedSection.NUMBER));
    return Optional.of(images.assemble(List.of(selection, made.values(), made.heap())));
  }

  private void copied(PackedContent values, ContentSink to, MemorySegment elements) {
    new ContentCopy(ContentArea.places(values.content()), to)
        .copy(packing.parts(), packing.elementSize(), values.elements(), elements);
  }

  /**
   * Returns the packed values of the elements in {@code which}, and copies their content to a sink.
   *
   * @param from the set of elements whose values are packed in {@code values}; it contains {@code
   *     which}
   */
  private MemorySegment some(RunSet which, RunSet from, PackedContent values, ContentSink to) {
    int size = packing.elementSize();
    MemorySegment elements = HeapBytes.allocate(packing.bytes(which.count()));
    PackedCopy.copy(which, from, values.elements(), which, elements, size);
    copied(new PackedContent(elements, values.content()), to, elements);
    return elements;
  }

  private void check(RunSet elements, PackedContent packed) {
    sets.geometry().check(elements, packed.elements());
  }

  @Override
  public MemoryChunk write(MemoryChunk base, RunSet elements, MemorySegment packed) {
    PackedContent given = PackedContent.split(packed, packing.bytes(elements.count()));
    check(elements, given);
    VariableChunk old = mine(base);
    if (elements.isEmpty()) {
      return old;
    }
    ContentArea area = new ContentArea();
    RunSet kept = old.defined().subtract(elements);
    RunSet union = kept.union(elements);
    content.checkRoom(packing.bytes(union.count()), 0);
    MemorySegment values = HeapBytes.allocate(packing.bytes(union.count()));
    int size = packing.elementSize();
    PackedCopy.copy(kept, kept, some(kept, old.defined(), old.values(), area), union, values, size);
    PackedCopy.copy(elements, elements, some(elements, elements, given, area), union, values, size);
    content.checkRoom(values.byteSize(), area.heapBytes());
    return chunk(union, new PackedContent(values, area.trimmed()));
  }

  /**
   * Always throws an exception, because the size of variable-length values is not known in advance.
   * Use {@link #readPacked}.
   *
   * @throws IllegalStateException always
   */
  @Override
  public void read(MemoryChunk chunk, RunSet elements, MemorySegment packed) {
    throw new IllegalStateException("values with content are read packed: format=" + this);
  }

  @Override
  public MemorySegment readPacked(MemoryChunk chunk, RunSet elements, SegmentAllocator memory) {
    sets.geometry().check(elements);
    VariableChunk mine = mine(chunk);
    RunSet present = mine.defined().intersect(elements);
    int size = packing.elementSize();
    MemorySegment values = HeapBytes.allocate(packing.bytes(elements.count()));
    ContentArea area = new ContentArea();
    if (present.count() < elements.count()) {
      MemorySegment one = HeapBytes.allocate(size);
      copied(fill, area, one);
      for (long at = 0; at < values.byteSize(); at += size) {
        MemorySegment.copy(one, 0, values, at, size);
      }
    }
    PackedCopy.copy(
        present,
        present,
        some(present, mine.defined(), mine.values(), area),
        elements,
        values,
        size);
    return new PackedContent(values, area.written()).joined();
  }

  @Override
  public RunSet defined(MemoryChunk chunk, RunSet elements) {
    sets.geometry().check(elements);
    VariableChunk mine = mine(chunk);
    return switch (definedness) {
      case ALL -> elements;
      case WRITTEN -> mine.defined().intersect(elements);
    };
  }

  @Override
  public MemoryChunk erase(MemoryChunk base, RunSet elements) {
    if (definedness == Definedness.ALL) {
      throw new UnsupportedFeatureException("erase of elements", "a dense dataset");
    }
    sets.geometry().check(elements);
    VariableChunk old = mine(base);
    return restricted(old, old.defined().subtract(elements));
  }

  @Override
  public MemoryChunk clip(MemoryChunk base, long[] valid) {
    VariableChunk old = mine(base);
    return restricted(old, sets.geometry().inside(old.defined(), valid));
  }

  private MemoryChunk restricted(VariableChunk old, RunSet kept) {
    if (kept.count() == old.defined().count()) {
      return old;
    }
    ContentArea area = new ContentArea();
    MemorySegment values = some(kept, old.defined(), old.values(), area);
    return chunk(kept, new PackedContent(values, area.trimmed()));
  }

  private VariableChunk chunk(RunSet defined, PackedContent values) {
    return new VariableChunk(defined, values, elements(), definedness);
  }

  private VariableChunk mine(MemoryChunk chunk) {
    if (chunk instanceof VariableChunk own && own.elements() == elements()) {
      return own;
    }
    throw new IllegalArgumentException("a chunk of another format: chunk=" + chunk);
  }

  @Override
  public String toString() {
    return "variable-length "
        + sets.geometry().describe()
        + " filters="
        + images.pipelines().bySection();
  }
}
