package io.skerry.cache.api;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import java.util.List;
import java.util.Optional;

/**
 * The chunks of a file as they are stored: what the cache asks of those who know the file. Every
 * method may be called by many threads at once, but never for one chunk by two; what fails throws
 * an exception that names dataset and chunk.
 */
public interface ChunkStore {
  /** Name of the file, for those who watch several; empty if it has none. */
  default String name() {
    return "";
  }

  /**
   * Fetches and decodes chunks, as few accesses to the file as it takes, and uses the workers.
   * Returns when all are there.
   *
   * @param crew the threads that may decode and give
   * @param arrival is given each chunk when it is decoded, by whichever thread did; a chunk that is
   *     not stored is a fresh one
   * @throws RuntimeException the first failure in the order of the keys, after every chunk has
   *     ended one way or the other
   */
  void load(List<ChunkKey> keys, WorkerPool.Crew crew, Arrival arrival);

  /** What takes loaded chunks. */
  @FunctionalInterface
  interface Arrival {
    /**
     * One is there.
     *
     * @param index its place among the keys
     */
    void loaded(int index, MemoryChunk chunk);
  }

  /**
   * Which elements of a stored chunk are defined, by reading no more of it than tells that.
   *
   * @return empty if the whole chunk is needed to tell
   */
  Optional<RunSet> locate(ChunkKey key);

  /** The image to store of a version; empty if the chunk is to be deleted. For workers. */
  Optional<ChunkImage> encode(ChunkKey key, MemoryChunk chunk);

  /**
   * Stores images, with one access to the file for all. When it returns, {@link #load} gives them.
   * Called by one thread at a time.
   */
  void store(List<Image> images);

  /**
   * An encoded chunk.
   *
   * @param image empty if the chunk is to be deleted
   */
  record Image(ChunkKey key, Optional<ChunkImage> image) {}

  /**
   * Returns whether chunks of a dataset may be stored when the cache needs their room. If not, they
   * stay until somebody stores them otherwise: so where several ranks have to agree on where they
   * go.
   */
  boolean storesAnyTime(long dataset);
}
