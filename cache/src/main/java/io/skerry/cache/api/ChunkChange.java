package io.skerry.cache.api;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;

/** What a write does to one chunk. */
public interface ChunkChange {
  /** Which chunk. */
  ChunkCoordinates chunk();

  /** What it has to know of the chunk. */
  Base base();

  /** Whether all elements of the chunk inside the extent are written. */
  Coverage coverage();

  /**
   * The next version. A worker calls it, and again with another version if somebody else changed
   * the chunk meanwhile; only what the last call made is published. The same version means that
   * nothing is to change, see {@link #whenSame}.
   *
   * @param before the present version; any if the chunk is {@link Base#REPLACED}
   */
  MemoryChunk apply(MemoryChunk before);

  /** What becomes of a chunk whose version stays the same. */
  default WhenSame whenSame() {
    return WhenSame.LEFT;
  }

  /** What happens to a chunk that a change leaves as it is. */
  enum WhenSame {
    /** Nothing. */
    LEFT,
    /** It is to be stored again. */
    STORED_ANEW
  }

  /** What a change starts from. */
  enum Base {
    /** The present version. */
    PRESENT,
    /** Nothing: what is stored need not be read. */
    REPLACED
  }

  /** How much of a chunk is accessed. */
  enum Coverage {
    /** Some of it. */
    PART,
    /** All of it. */
    WHOLE
  }
}
