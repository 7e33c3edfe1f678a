package io.skerry;

import io.skerry.chunk.ChunkImage;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The stored chunks of a dataset: where they are, and their bytes. Everything here is local: each
 * rank reads the chunk index and the file for itself, and sees what the last flush has stored. Any
 * rank may ask for any chunk.
 *
 * <p>Chunks are listed in the order of the index: row-major, but under an extensible array the
 * unlimited dimension counts most. Those that space was taken for are listed even if nobody wrote
 * them, and those that an index of another program keeps outside the present extent too.
 *
 * <p>It is what {@code H5Dget_num_chunks}, {@code H5Dget_chunk_info}, {@code
 * H5Dget_chunk_info_by_coord}, {@code H5Dchunk_iter}, {@code H5Dget_storage_size} and {@code
 * H5Dread_chunk} tell in C.
 */
public interface ChunkTable {
  /** Number of stored chunks. Reads the whole index. */
  long count();

  /** Bytes of all stored chunks, without the index. Reads the whole index. */
  long storedBytes();

  /**
   * Visits all stored chunks. The file is not flushed meanwhile, so a visitor must not wait for
   * threads that flush it or change its objects.
   */
  void forEach(Consumer<ChunkInfo> visitor);

  /**
   * The chunk with a number, counted from 0 in the order of {@link #forEach}. Takes as long as a
   * visit of all: to see many, visit them.
   *
   * @throws IndexOutOfBoundsException if there are not as many
   */
  ChunkInfo get(long number);

  /**
   * The chunk that holds an element; empty if it is not stored.
   *
   * @param element coordinates of any element of the chunk
   * @throws IllegalArgumentException if the element lies outside the extent
   */
  Optional<ChunkInfo> at(long... element);

  /**
   * The chunk that holds an element as it is stored: its bytes, filters and all, and how they
   * divide into sections; empty if it is not stored.
   *
   * @param element coordinates of any element of the chunk
   * @throws IllegalArgumentException if the element lies outside the extent
   */
  Optional<ChunkImage> image(long... element);
}
