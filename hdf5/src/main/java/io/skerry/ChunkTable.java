package io.skerry;

import io.skerry.chunk.ChunkImage;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The stored chunks of a dataset: their addresses, sizes and bytes, as of the last flush; in a
 * container, with later changes. All methods are local: each rank reads the chunk index and the
 * file independently. Any rank may read any chunk. All methods throw {@link
 * io.skerry.mpi.MpiException} if the file cannot be read. In a container with several ranks, they
 * throw {@link IllegalStateException} on any other thread than the one that opened it. Coordinates
 * are numbers of elements.
 *
 * <p>Chunks are listed in the order of the index: row-major, except that in an extensible array the
 * unlimited dimension varies slowest. The list also contains allocated chunks that were not
 * written, and chunks outside the extent that another program has left in the index.
 *
 * <p>The corresponding functions of the C library are {@code H5Dget_num_chunks}, {@code
 * H5Dget_chunk_info}, {@code H5Dget_chunk_info_by_coord}, {@code H5Dchunk_iter}, {@code
 * H5Dget_storage_size} and {@code H5Dread_chunk}.
 */
public interface ChunkTable {
  /**
   * Returns the number of stored chunks. Reads the whole index. Local, thread-safe.
   *
   * @return the number of chunks
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the chunk index is damaged
   */
  long count();

  /**
   * Returns the total number of bytes in all stored chunks. Reads the whole index. Local,
   * thread-safe.
   *
   * @return the number of bytes, excluding the index
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the chunk index is damaged
   */
  long storedBytes();

  /**
   * Visits all stored chunks. No other thread can flush the file or change its objects during the
   * visit. A visitor must neither do so itself nor wait for a thread that does so. An exception
   * thrown by the visitor ends the visit. Local, thread-safe.
   *
   * @param visitor a consumer of each chunk, in the order of the index
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the chunk index is damaged
   */
  void forEach(Consumer<ChunkInfo> visitor);

  /**
   * Visits the positions of all stored chunks, in the order of {@link #forEach}. Reads no chunks,
   * even if the section sizes are stored in the chunks themselves. Local, thread-safe.
   *
   * @param visitor a consumer of the coordinates of the first element of each chunk
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the chunk index is damaged
   */
  default void forEachOffset(Consumer<List<Long>> visitor) {
    forEach(chunk -> visitor.accept(chunk.offset()));
  }

  /**
   * Returns the chunk at a position in the order of {@link #forEach}. Takes as long as visiting all
   * chunks. Local, thread-safe.
   *
   * @param number the number of the chunk, from 0
   * @return the chunk
   * @throws IndexOutOfBoundsException if there is no chunk with that number
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the chunk index is damaged
   */
  ChunkInfo get(long number);

  /**
   * Returns the chunk that contains an element. Local, thread-safe.
   *
   * @param element the coordinates of any element of the chunk
   * @return the chunk; empty if it is not stored
   * @throws IllegalArgumentException if the coordinates are outside the extent, or their number
   *     differs from the rank
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the chunk index is damaged
   */
  Optional<ChunkInfo> at(long... element);

  /**
   * Reads the chunk that contains an element: its section table and its stored bytes, which are
   * still filtered. Local, thread-safe.
   *
   * @param element the coordinates of any element of the chunk
   * @return the stored chunk; empty if it is not stored
   * @throws IllegalArgumentException if the coordinates are outside the extent, or their number
   *     differs from the rank
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the chunk index is damaged, or the chunk is
   *     outside the file
   * @throws io.skerry.exception.MemoryLimitException if the chunk does not fit into the heap
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   */
  Optional<ChunkImage> image(long... element);
}
