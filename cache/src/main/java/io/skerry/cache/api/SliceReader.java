package io.skerry.cache.api;

import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.MemoryChunk;

/** What a read does with each chunk; called by workers, in any order. */
public interface SliceReader {
  /** Takes the slice's part of a chunk. */
  void read(ChunkSlice slice, MemoryChunk chunk);

  /**
   * Takes the slice's part of a chunk that is not in the cache straight from the file, so that the
   * chunk does not pass through the cache.
   *
   * @return whether it did; if not, the chunk is loaded
   */
  default boolean readPast(ChunkSlice slice, Pressure pressure) {
    return false;
  }

  /** How welcome it is that chunks stay out of the cache. */
  enum Pressure {
    /** There is room. */
    NONE,
    /** The request is larger than the cache: what it loads is gone before it is used again. */
    THRASHING
  }
}
