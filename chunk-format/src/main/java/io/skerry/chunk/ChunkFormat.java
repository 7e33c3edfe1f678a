package io.skerry.chunk;

import io.skerry.chunk.space.RunSet;
import io.skerry.chunk.type.Datatype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/**
 * The chunk format layer: everything that can be done with one chunk of one dataset, without
 * knowing the file, the other chunks, threads or ranks. The upper code asks the format and never
 * looks inside a chunk. Implementations are immutable and safe for any number of threads.
 *
 * <p>Elements are named by their row-major index inside the chunk (0 ≤ index < {@link
 * #elements()}); packed values are in ascending element order, in the file datatype.
 *
 * <p>Source: the 2018 sparse chunks design, section 6.2 (its {@code file_to_mem} is {@link
 * #decode}, {@code mem_to_file} is {@link #encode}, {@code mem_read} and {@code mem_write} are
 * {@link #read} and {@link #write}).
 */
public interface ChunkFormat {
  /** Shape of a chunk, in elements. */
  long[] chunkShape();

  /** Elements in a chunk: the product of {@link #chunkShape()}. */
  long elements();

  /** Type of an element as stored. */
  Datatype datatype();

  /** Whether only written elements exist. */
  Definedness definedness();

  /** Whether the stored size is known beforehand. */
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

  /** A fresh chunk: nothing defined (sparse), or all fill value (dense). */
  MemoryChunk newChunk();

  /**
   * Translates a stored image.
   *
   * @param image only read during the call; the chunk keeps nothing of it
   * @throws FormatException if the image is not a chunk of this format
   */
  MemoryChunk decode(ChunkImage image);

  /** Only which elements are defined; reads no more sections than that needs. */
  RunSet decodeDefined(ChunkImage image);

  /**
   * The image to store, or empty if nothing is left to store and the chunk is to be deleted. Its
   * bytes may be those of the chunk: they are not to be changed.
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
   * A new version in which {@code elements} are defined and hold {@code packed}.
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

  /** The defined ones among {@code elements}. */
  RunSet defined(MemoryChunk chunk, RunSet elements);

  /**
   * A new version in which {@code elements} are no longer defined.
   *
   * @throws UnsupportedFeatureException if the format stores every element
   */
  MemoryChunk erase(MemoryChunk base, RunSet elements);

  /**
   * A new version without the elements outside the extent: undefined (sparse) or fill value
   * (dense).
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
