package io.skerry.cache.api;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import java.util.List;
import java.util.Optional;

/**
 * The cache's access to the stored chunks of a file. Several threads may call the methods
 * concurrently, even for the same chunk, except that {@link #store} is called by one thread at a
 * time. Exceptions name the dataset and the chunk, or one of the chunks that are accessed together.
 */
public interface ChunkStore {
  /** Returns the name of the file, for monitoring; empty if it has none. */
  default String name() {
    return "";
  }

  /**
   * Reads and decodes chunks with few accesses to the file and with the help of workers. Returns
   * after all chunks have been passed to {@code arrival}.
   *
   * @param keys the chunks to load
   * @param crew the threads that may decode chunks and pass them to {@code arrival}
   * @param arrival the receiver of each chunk after it is decoded, on the thread that decoded it;
   *     for a chunk that is not stored, it receives a new chunk
   * @throws RuntimeException if a chunk cannot be located, read or decoded; other chunks may have
   *     been loaded, and no thread uses {@code arrival} any longer
   */
  void load(List<ChunkKey> keys, WorkerPool.Crew crew, Arrival arrival);

  /** Receives loaded chunks. */
  @FunctionalInterface
  interface Arrival {
    /**
     * Receives a chunk that has been loaded.
     *
     * @param index the index of the chunk's key in the list of requested keys
     * @param chunk the loaded chunk
     */
    void loaded(int index, MemoryChunk chunk);
  }

  /**
   * Determines the defined elements of a chunk without reading its values.
   *
   * @return the defined elements; if the chunk is not stored, an empty set, or all elements if the
   *     dataset is dense; {@link Optional#empty} if the whole chunk would have to be read
   */
  Optional<RunSet> locate(ChunkKey key);

  /**
   * Encodes a version of a chunk. Called by workers.
   *
   * @return the image to store; empty if the chunk must be deleted
   */
  Optional<ChunkImage> encode(ChunkKey key, MemoryChunk chunk);

  /**
   * Stores images together. Afterwards, {@link #load} reads the stored versions. Called by one
   * thread at a time.
   *
   * @throws RuntimeException if an image cannot be stored; some stored chunks may then have been
   *     overwritten in place
   */
  void store(List<Image> images);

  /**
   * An encoded chunk.
   *
   * @param key the chunk
   * @param image the image; empty if the chunk must be deleted
   */
  record Image(ChunkKey key, Optional<ChunkImage> image) {}

  /**
   * Returns whether chunks of a dataset may be stored whenever the cache needs memory. If not, for
   * example because several ranks must agree on the addresses of the chunks, the chunks stay in the
   * cache until a flush stores them.
   *
   * @param dataset address of the object header of the dataset
   */
  boolean storesAnyTime(long dataset);
}
