package io.skerry.cache.api;

import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.MemoryChunk;

/**
 * Reads the elements of a read request, one slice of a chunk at a time. Called by several workers
 * concurrently, in any order.
 */
public interface SliceReader {
  /** Reads the elements of a slice from a chunk in memory. */
  void read(ChunkSlice slice, MemoryChunk chunk);

  /**
   * Returns whether {@link #readPast} may read a slice: by default, only if the slice covers the
   * whole chunk.
   */
  default boolean mayReadPast(ChunkSlice slice) {
    return slice.coversWholeChunk();
  }

  /**
   * Reads the elements of a slice directly from the file. Called only if {@link #mayReadPast}
   * allows it and the values of the chunk are not in the cache. The chunk is not added to the
   * cache.
   *
   * @param slice the elements to read
   * @param pressure the pressure that the request puts on the cache
   * @return true if the elements were read; if false, the cache loads the chunk
   */
  default boolean readPast(ChunkSlice slice, Pressure pressure) {
    return false;
  }

  /**
   * The pressure that a request puts on the cache. A reader uses this value to decide whether to
   * bypass the cache.
   */
  enum Pressure {
    /** The missing chunks of the request are estimated to fit in the cache. */
    NONE,
    /**
     * The missing chunks of the request are estimated not to fit in the cache, so loading them
     * would evict some of them before their next use.
     */
    THRASHING
  }
}
