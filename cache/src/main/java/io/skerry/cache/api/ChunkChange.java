package io.skerry.cache.api;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;

/** The change that a write makes to one chunk. */
public interface ChunkChange {
  /** The chunk to change. */
  ChunkCoordinates chunk();

  /** The version that the change needs. */
  Base base();

  /** Returns whether all elements of the chunk within the extent are written. */
  Coverage coverage();

  /**
   * Returns the next version. Called by a worker, and called again with a newer version if another
   * thread has changed the chunk in the meantime; only the result of the last call is published. If
   * the result is {@code before} itself, {@link #whenSame} decides.
   *
   * @param before the present version; arbitrary if the base is {@link Base#REPLACED}
   */
  MemoryChunk apply(MemoryChunk before);

  /** Returns the action for a chunk whose version does not change. */
  default WhenSame whenSame() {
    return WhenSame.LEFT;
  }

  /** Action for a chunk whose version does not change. */
  enum WhenSame {
    /** Nothing. */
    LEFT,
    /** The chunk is stored again. */
    STORED_ANEW
  }

  /** Version on which a change is based. */
  enum Base {
    /** The present version. */
    PRESENT,
    /** None: the stored chunk need not be read. */
    REPLACED
  }

  /** Part of a chunk that is accessed. */
  enum Coverage {
    /** Some elements. */
    PART,
    /** All elements. */
    WHOLE
  }
}
