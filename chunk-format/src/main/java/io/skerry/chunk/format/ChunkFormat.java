package io.skerry.chunk.format;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The chunk format layer: all operations on one chunk of one dataset. A format is independent of
 * the file, of other chunks, and of threads and ranks. The layers above use these operations and
 * never interpret the content of a chunk. Implementations are immutable and thread-safe. {@link
 * PassThroughFormat} is the template for new formats; {@code ChunkFormatConformance} in testkit
 * checks each format against this specification.
 *
 * <p>Elements are identified by their row-major index within the chunk (from 0 to {@link
 * #elements()} - 1). Packed values are in ascending element order and in the file datatype. If the
 * format has a {@link #contentPacking()}, the variable-length content follows the packed values. A
 * {@link MemoryChunk} is an immutable version, so a read never returns a mixture of two writes.
 * Arguments that violate a rule (elements outside the chunk, a buffer of the wrong size, a chunk of
 * a different format) cause an {@link IllegalArgumentException}.
 *
 * <p>The table maps the operations of the two published designs to the methods of this interface:
 *
 * <table>
 * <caption>Chunk format operations</caption>
 * <tr><th>2018</th><th>2025</th><th>this interface</th></tr>
 * <tr><td>variable_size</td><td>layout_query</td><td>{@link #encodedSize()}</td></tr>
 * <tr><td>init, term</td><td></td><td>none: a format has no state to open or
 * close</td></tr>
 * <tr><td>file_alloc, file_free</td><td></td><td>none: {@link #encode} returns the
 * image</td></tr>
 * <tr><td>file_to_mem</td><td>decode, decode_defined_values</td> <td>{@link #decode},
 * {@link #decodeDefined}</td></tr>
 * <tr><td>mem_to_file</td><td>encode, encode_in_place, condense</td> <td>{@link
 * #encode}, {@link #encodeWritten}; versions have no spare capacity to
 * release</td></tr>
 * <tr><td>mem_alloc, fill</td><td>new_chunk, fill</td><td>{@link #newChunk}</td></tr>
 * <tr><td>mem_read</td><td>scatter_mem</td> <td>{@link #read}, {@link #readPacked},
 * {@link #readStored}</td></tr>
 * <tr><td>mem_write</td><td>gather_mem</td><td>{@link #write}</td></tr>
 * <tr><td>mem_free</td><td>evict, evict_values</td> <td>none; the result of {@link
 * #defined} for all elements can be kept without the values</td></tr>
 * <tr><td>file_read, file_write</td><td>selection_read, vector_read, …</td> <td>{@link
 * #storedAt}</td></tr>
 * <tr><td>defined, erase</td><td>defined_values, erase_values</td> <td>{@link
 * #defined}, {@link #erase}</td></tr>
 * <tr><td>copy</td><td></td> <td>{@link #readPacked} and {@link #write} into a new
 * chunk of the other format</td></tr>
 * <tr><td>space_type</td><td></td><td>{@link #storedAt}, run by run, gives the file
 * view</td></tr>
 * <tr><td></td><td></td><td>{@link #clip}, when an extent shrinks</td></tr>
 * </table>
 *
 * <p>Sources: "RFC: Sparse Chunks" (N. Fortner, J. Mainzer, 2018), section 6.2; "RFC: Shared Chunk
 * Cache Design" (C. Carper, J. Mainzer, 2025).
 */
public interface ChunkFormat {
  /**
   * Returns the approximate heap memory needed to encode a version, in bytes, including the version
   * itself. The result does not depend on the values. It is 0 if the memory needed depends on the
   * set of defined elements.
   *
   * @param chunk a version of this format
   */
  default long encodingBytes(MemoryChunk chunk) {
    return 0;
  }

  /** Returns the shape of a chunk, in elements. */
  long[] chunkShape();

  /** Returns the number of elements of a chunk: the product of {@link #chunkShape()}. */
  long elements();

  /** Returns the type of an element as stored. */
  Datatype datatype();

  /** Returns whether all elements have values or only those that were written. */
  Definedness definedness();

  /**
   * Returns the information about the stored size that is available before encoding. If the size is
   * exact, file space can be allocated at any time; otherwise, it can be allocated only after the
   * chunk has been encoded. The information is valid for every image that {@link #encode} returns.
   */
  EncodedSize encodedSize();

  /**
   * Returns the packing of values with variable-length content; empty if the values have no such
   * content, in which case each value has the size of the datatype.
   */
  default Optional<ContentPacking> contentPacking() {
    return Optional.empty();
  }

  /**
   * Returns the format of chunks of the same dataset that are stored without filters, such as
   * partial edge chunks that the layout excludes from filtering. Their index records have the same
   * fields; the filter masks are 0.
   */
  ChunkFormat withoutFilters();

  /**
   * Returns the position of an element in stored images, if its value can be read and written there
   * without decoding. Consecutive elements are then consecutive in the image too. If images must be
   * decoded, the result is empty for every element.
   *
   * @return the offset of the element in bytes from the start of the image
   */
  default OptionalLong storedAt(long element) {
    return OptionalLong.empty();
  }

  /**
   * Returns a new chunk: no element is defined (sparse), or all elements have the fill value
   * (dense). Uses almost no memory until values are written.
   */
  MemoryChunk newChunk();

  /**
   * Decodes a stored image.
   *
   * @param image the image to decode; it is not accessed after the method returns, and the chunk
   *     shares no memory with it
   * @throws FormatException if the image is not a chunk of this format
   * @throws UnsupportedFeatureException if a filter that was applied is not installed or cannot
   *     decode the data
   */
  MemoryChunk decode(ChunkImage image);

  /**
   * Decodes the set of defined elements: the set that {@link #defined} returns for all elements of
   * the decoded chunk. Reads only the sections that contain this set.
   *
   * @throws FormatException if a section that is read is damaged
   * @throws UnsupportedFeatureException if a filter that was applied to such a section is not
   *     installed or cannot decode this variant of its format
   */
  RunSet decodeDefined(ChunkImage image);

  /**
   * Decodes the set of defined elements from the first section of a stored chunk, so that a caller
   * need not read the other sections.
   *
   * @param stored the section as stored
   * @param table the section table from the index record of the chunk
   * @return the defined elements; empty if the format has no section for them
   * @throws FormatException if the section is damaged
   * @throws UnsupportedFeatureException if a filter that was applied to the section is not
   *     installed or cannot decode this variant of its format
   */
  default Optional<StoredLocations> locations(MemorySegment stored, SectionTable table) {
    return Optional.empty();
  }

  /**
   * The elements that a stored chunk defines.
   *
   * @param defined the elements
   * @param form the form in which the selection is stored
   */
  record StoredLocations(RunSet defined, Selection.Form form) {}

  /**
   * Encodes a chunk. Encoding the same chunk again produces the same image.
   *
   * @return the image, which may share memory with the chunk and must not be changed; empty if no
   *     element is stored, in which case the caller must delete the chunk and its index record
   * @throws FormatException if the client data of a filter, read from a file, is invalid
   * @throws UnsupportedFeatureException if a mandatory filter is not installed or cannot be
   *     applied, or if the values or the set of defined elements do not fit in the stored form
   */
  Optional<ChunkImage> encode(MemoryChunk chunk);

  /**
   * Encodes a new chunk into which {@code elements} have been written. Implementations need not
   * create a {@link MemoryChunk} for it.
   *
   * @param packed one value for each element, in ascending order; the image may be a view of this
   *     segment
   * @return the image, as {@link #encode} would return it for the new chunk
   */
  default Optional<ChunkImage> encodeWritten(RunSet elements, MemorySegment packed) {
    return encode(write(newChunk(), elements, packed));
  }

  /**
   * Returns a version in which {@code elements} are defined with the values {@code packed}. All
   * other elements are as in {@code base}, which does not change. If there are no elements, the
   * result may be {@code base} itself.
   *
   * @param packed one value for each element, in ascending order, with their content if the format
   *     has a {@link #contentPacking()}; it is not accessed after the method returns
   */
  MemoryChunk write(MemoryChunk base, RunSet elements, MemorySegment packed);

  /**
   * Copies the values of {@code elements} to {@code packed}; the values of undefined elements are
   * the fill value.
   *
   * @throws IllegalStateException if the values have variable-length content; use {@link
   *     #readPacked} instead
   */
  void read(MemoryChunk chunk, RunSet elements, MemorySegment packed);

  /**
   * Copies the values of rows of the chunk to their positions in a block; the values of undefined
   * elements are the fill value.
   *
   * @param block the block, with one value for each of its elements; only the positions of the rows
   *     are written
   * @throws IllegalStateException if the values have variable-length content; use {@link
   *     #readPacked} instead
   */
  default void readRows(MemoryChunk chunk, ChunkRows rows, MemorySegment block) {
    PackedRows.read(
        rows, datatype().size(), block, (elements, packed) -> read(chunk, elements, packed));
  }

  /**
   * Returns the values of {@code elements}, with their content if they have any; the values of
   * undefined elements are the fill value.
   *
   * @param memory the allocator for the result; an implementation need not use it, and its memory
   *     need not be zeroed
   */
  default MemorySegment readPacked(MemoryChunk chunk, RunSet elements, SegmentAllocator memory) {
    MemorySegment packed = memory.allocate(elements.count() * datatype().size());
    read(chunk, elements, packed);
    return packed;
  }

  /**
   * Returns the values of {@code elements} of a stored chunk that is not kept in memory; the values
   * of undefined elements are the fill value.
   *
   * @param image the image to decode; the method does not keep it, but the result may be a view of
   *     its memory
   * @param memory the allocator for the result and for intermediate data; its memory need not be
   *     zeroed
   * @return one value for each element, in ascending order, with their content if the format has a
   *     {@link #contentPacking()}
   * @throws FormatException if the image is not a chunk of this format
   * @throws UnsupportedFeatureException if a filter that was applied is not installed, or cannot
   *     decode this variant of its format or this amount of data
   */
  default MemorySegment readStored(ChunkImage image, RunSet elements, SegmentAllocator memory) {
    return readPacked(decode(image), elements, memory);
  }

  /** Returns the defined elements among {@code elements}; for a dense format, all of them. */
  RunSet defined(MemoryChunk chunk, RunSet elements);

  /**
   * Returns a version in which {@code elements} are undefined, whether they were defined before or
   * not. All other elements are as in {@code base}. If none of the elements was defined, the result
   * may be {@code base} itself.
   *
   * @throws UnsupportedFeatureException if every element has a value ({@link Definedness#ALL})
   */
  MemoryChunk erase(MemoryChunk base, RunSet elements);

  /**
   * Returns a version without the elements outside the extent: they are undefined (sparse) or have
   * the fill value (dense). The elements inside do not change. If nothing changes, the result may
   * be {@code base} itself.
   *
   * @param valid the number of the chunk's elements within the extent in each dimension
   */
  MemoryChunk clip(MemoryChunk base, long[] valid);

  /** Specifies which elements of a chunk have values. */
  enum Definedness {
    /** Every element has a value. */
    ALL,
    /** Only elements that were written have values. */
    WRITTEN
  }
}
