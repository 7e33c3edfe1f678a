package io.skerry.chunk.format;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.SelectionForm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The chunk format layer: everything that can be done with one chunk of one dataset, without
 * knowing the file, the other chunks, threads or ranks. The upper code asks the format and never
 * looks inside a chunk. Implementations are immutable and safe for any number of threads. {@link
 * PassThroughFormat} is the template for new ones; testkit's {@code ChunkFormatConformance} holds
 * each to what is said here.
 *
 * <p>Elements are named by their row-major index inside the chunk (0 ≤ index < {@link
 * #elements()}). Packed values are in ascending element order, in the file datatype, and, where
 * there is a {@link #contentPacking()}, have their content behind them. A {@link MemoryChunk} is a
 * version: nothing changes it, so that what is read from one never is half of another. An argument
 * that breaks a rule (elements outside the chunk, a buffer of the wrong size, a chunk that another
 * format made) is an {@link IllegalArgumentException}.
 *
 * <p>The operations of the designs, and where they are:
 *
 * <table>
 * <caption>Chunk format operations</caption>
 * <tr><th>2018</th><th>2025</th><th>here</th></tr>
 * <tr><td>variable_size</td><td>layout_query</td><td>{@link #encodedSize()}</td></tr>
 * <tr><td>init, term</td><td></td><td>none: a format has no state to open or close</td></tr>
 * <tr><td>file_alloc, file_free</td><td></td><td>none: {@link #encode} gives the image</td></tr>
 * <tr><td>file_to_mem</td><td>decode, decode_defined_values</td>
 *     <td>{@link #decode}, {@link #decodeDefined}</td></tr>
 * <tr><td>mem_to_file</td><td>encode, encode_in_place, condense</td>
 *     <td>{@link #encode}, {@link #encodeWritten}; versions never hold more than they need</td></tr>
 * <tr><td>mem_alloc, fill</td><td>new_chunk, fill</td><td>{@link #newChunk}</td></tr>
 * <tr><td>mem_read</td><td>scatter_mem</td>
 *     <td>{@link #read}, {@link #readPacked}, {@link #readStored}</td></tr>
 * <tr><td>mem_write</td><td>gather_mem</td><td>{@link #write}</td></tr>
 * <tr><td>mem_free</td><td>evict, evict_values</td>
 *     <td>none; what stays without values is {@link #defined} of all elements</td></tr>
 * <tr><td>file_read, file_write</td><td>selection_read, vector_read, …</td>
 *     <td>{@link #storedAt}</td></tr>
 * <tr><td>defined, erase</td><td>defined_values, erase_values</td>
 *     <td>{@link #defined}, {@link #erase}</td></tr>
 * <tr><td>copy</td><td></td>
 *     <td>{@link #readPacked} and {@link #write} into a fresh chunk of the other format; what leads
 *     out of the file is retargeted in between, which is the same for all formats</td></tr>
 * <tr><td>space_type</td><td></td><td>{@link #storedAt}, run by run, makes the file view</td></tr>
 * <tr><td></td><td></td><td>{@link #clip}, when an extent shrinks</td></tr>
 * </table>
 *
 * <p>Source: the 2018 sparse chunks design, section 6.2; the shared chunk cache design of 2025.
 */
public interface ChunkFormat {
  /**
   * Bytes of heap that a version takes while it is encoded, itself included, whatever its values
   * are; 0 if that depends on what is defined.
   *
   * @param chunk a version of this format
   */
  default long encodingBytes(MemoryChunk chunk) {
    return 0;
  }

  /** Shape of a chunk, in elements. */
  long[] chunkShape();

  /** Elements in a chunk: the product of {@link #chunkShape()}. */
  long elements();

  /** Type of an element as stored. */
  Datatype datatype();

  /** Whether only written elements exist. */
  Definedness definedness();

  /**
   * Whether the stored size is known beforehand, which decides when space is taken: at any time if
   * exactly, else late, when the chunk has been encoded. What it says holds for every image that
   * {@link #encode} makes.
   */
  EncodedSize encodedSize();

  /**
   * How packed values have their content with them; empty if they are complete in themselves, each
   * of the size of the datatype.
   */
  default Optional<ContentPacking> contentPacking() {
    return Optional.empty();
  }

  /**
   * The format of chunks of the same dataset that are stored without filters, as partial edge
   * chunks are if the layout says so: index records look the same, the masks are 0 and mean
   * nothing.
   */
  ChunkFormat withoutFilters();

  /**
   * Where an element stands in a stored image, if its value can be read and written there as it is;
   * elements that follow each other do so in the image too. Empty if an image has to be decoded,
   * then for all elements.
   *
   * @return bytes before it
   */
  default OptionalLong storedAt(long element) {
    return OptionalLong.empty();
  }

  /**
   * A fresh chunk: nothing defined (sparse), or all fill value (dense). Takes no memory to speak of
   * before something is written.
   */
  MemoryChunk newChunk();

  /**
   * Translates a stored image: what {@link #encode} made of a chunk with the same content, by this
   * program or another.
   *
   * @param image only read during the call; the chunk keeps nothing of it
   * @throws FormatException if the image is not a chunk of this format
   */
  MemoryChunk decode(ChunkImage image);

  /**
   * Only which elements are defined, as {@link #defined} says of the decoded chunk; looks at no
   * more sections than that needs.
   *
   * @throws FormatException if what it looks at is damaged
   */
  RunSet decodeDefined(ChunkImage image);

  /**
   * What the first section of a stored chunk tells, so that a caller need not fetch the others;
   * empty if chunks have no section for it.
   *
   * @param stored the section as it lies in the file
   * @param table the chunk's index record
   * @throws FormatException if it is damaged
   */
  default Optional<StoredLocations> locations(MemorySegment stored, SectionTable table) {
    return Optional.empty();
  }

  /**
   * Which elements a stored chunk defines.
   *
   * @param defined the elements
   * @param form how they are written down
   */
  record StoredLocations(RunSet defined, SelectionForm form) {}

  /**
   * The image to store, or empty if nothing is left to store and the chunk is to be deleted with
   * its index record: so for a chunk in which nothing is defined. Its bytes may be those of the
   * chunk: they are not to be changed. The same chunk always gives the same image.
   */
  Optional<ChunkImage> encode(MemoryChunk chunk);

  /**
   * The image of a fresh chunk into which {@code elements} were written, which need not be made for
   * that.
   *
   * @param packed one value per element, in ascending order; the image may be a view of it
   */
  default Optional<ChunkImage> encodeWritten(RunSet elements, MemorySegment packed) {
    return encode(write(newChunk(), elements, packed));
  }

  /**
   * A new version in which {@code elements} are defined and hold {@code packed}; all others are as
   * they were. {@code base} stays what it was.
   *
   * @param packed one value per element, in ascending order, with their content if the format has a
   *     {@link #contentPacking()}; only read during the call
   */
  MemoryChunk write(MemoryChunk base, RunSet elements, MemorySegment packed);

  /**
   * Copies the values of {@code elements} to {@code packed}; undefined ones read as the fill value.
   *
   * @throws IllegalStateException if values have content: see {@link #readPacked}
   */
  void read(MemoryChunk chunk, RunSet elements, MemorySegment packed);

  /**
   * The same for what a chunk has of a block: a format that can go from row to row needs no set of
   * elements.
   *
   * @param block one value per element of the block; only the rows' places are written
   * @throws IllegalStateException if values have content: see {@link #readPacked}
   */
  default void readRows(MemoryChunk chunk, ChunkRows rows, MemorySegment block) {
    PackedRows.read(
        rows, datatype().size(), block, (elements, packed) -> read(chunk, elements, packed));
  }

  /**
   * The values of {@code elements}, with their content if they have any; undefined ones as the fill
   * value.
   *
   * @param memory gives memory, which need not be zeroed and need not be used
   */
  default MemorySegment readPacked(MemoryChunk chunk, RunSet elements, SegmentAllocator memory) {
    MemorySegment packed = memory.allocate(elements.count() * datatype().size());
    read(chunk, elements, packed);
    return packed;
  }

  /**
   * The values of {@code elements} of a stored chunk that is not kept; undefined ones as the fill
   * value.
   *
   * @param image only read during the call, but the result may be a view of it
   * @param memory gives memory for the result and what leads to it, which need not be zeroed
   * @return one value per element, in ascending order
   * @throws FormatException if the image is not a chunk of this format
   */
  default MemorySegment readStored(ChunkImage image, RunSet elements, SegmentAllocator memory) {
    return readPacked(decode(image), elements, memory);
  }

  /** The defined ones among {@code elements}; of a dense format all of them. */
  RunSet defined(MemoryChunk chunk, RunSet elements);

  /**
   * A new version in which {@code elements} are no longer defined; whether they were does not
   * matter. All others are as they were.
   *
   * @throws UnsupportedFeatureException if the format stores every element
   */
  MemoryChunk erase(MemoryChunk base, RunSet elements);

  /**
   * A new version without the elements outside the extent: undefined (sparse) or fill value
   * (dense). Those inside are as they were.
   *
   * @param valid per dimension, how many of the chunk's elements lie inside the extent
   */
  MemoryChunk clip(MemoryChunk base, long[] valid);

  /** Whether elements can be undefined. */
  enum Definedness {
    /** Every element has a value. */
    ALL,
    /** Only elements that were written have one. */
    WRITTEN
  }
}
