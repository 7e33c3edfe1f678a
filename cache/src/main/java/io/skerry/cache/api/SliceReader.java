package io.skerry.cache.api;

import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.MemoryChunk;

/** Reads the chunks of a request. Called by workers, in any order. */
public interface SliceReader {
  /** Reads the part of a slice from a chunk. */
  void read(ChunkSlice slice, MemoryChunk chunk);

  /**
   * Reads the part of a slice directly from the file, for a chunk that is not in the cache and is
   * not to be added to it.
   *
   * @return true if it was read; if false, the chunk is loaded into the cache
   */
  default boolean readPast(ChunkSlice slice, Pressure pressure) {
    return false;
  }

  /** Cache pressure: whether a read should bypass the cache. */
  enum Pressure {
    /** The chunks of the request fit in the cache. */
    NONE,
    /**
     * The request is larger than the cache: the chunks it loads are evicted before they are used
     * again.
     */
    THRASHING
  }
}
