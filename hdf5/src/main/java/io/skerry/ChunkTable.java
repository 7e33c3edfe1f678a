package io.skerry;

import io.skerry.chunk.ChunkImage;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The stored chunks of a dataset: their addresses, sizes and bytes. All methods are local: each
 * rank reads the chunk index and the file by itself, in the state of the last flush. Any rank may
 * read any chunk.
 *
 * <p>Chunks are listed in the order of the index: row-major, except that in an extensible array the
 * unlimited dimension varies slowest. Allocated chunks that were not written are listed, and chunks
 * outside the extent that another program has left in the index.
 *
 * <p>In C: {@code H5Dget_num_chunks}, {@code H5Dget_chunk_info}, {@code
 * H5Dget_chunk_info_by_coord}, {@code H5Dchunk_iter}, {@code H5Dget_storage_size}, {@code
 * H5Dread_chunk}.
 */
public interface ChunkTable {
  /** The number of stored chunks. Reads the whole index. */
  long count();

  /** The number of bytes of all stored chunks, without the index. Reads the whole index. */
  long storedBytes();

  /**
   * Visits all stored chunks. The file is not flushed meanwhile, so a visitor must not wait for
   * threads that flush it or change its objects.
   */
  void forEach(Consumer<ChunkInfo> visitor);

  /**
   * The chunk at a position, from 0, in the order of {@link #forEach}. Takes as long as a visit of
   * all chunks.
   *
   * @throws IndexOutOfBoundsException if there are fewer chunks
   */
  ChunkInfo get(long number);

  /**
   * The chunk of an element; empty if the chunk is not stored.
   *
   * @param element coordinates of any element of the chunk
   * @throws IllegalArgumentException if the element lies outside the extent
   */
  Optional<ChunkInfo> at(long... element);

  /**
   * The stored bytes of the chunk of an element, with filters applied, and the table of its
   * sections; empty if the chunk is not stored.
   *
   * @param element coordinates of any element of the chunk
   * @throws IllegalArgumentException if the element lies outside the extent
   */
  Optional<ChunkImage> image(long... element);
}
