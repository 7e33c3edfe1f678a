package io.skerry.cache.api;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;

/** The change that a write makes to one chunk. */
public interface ChunkChange {
  /** Returns the coordinates of the chunk to change. */
  ChunkCoordinates chunk();

  /** Returns whether the change is applied to the present version or replaces the chunk. */
  Base base();

  /**
   * Returns {@link Coverage#WHOLE} if all elements of the chunk within the extent are written,
   * otherwise {@link Coverage#PART}.
   */
  Coverage coverage();

  /**
   * Returns the next version of the chunk. Called by a worker. If the change is based on the
   * present version, and another thread has changed the chunk in the meantime, the writing thread
   * calls this method again with the newer version; only the result of the last call is published.
   * If that result is the object {@code before}, {@link #whenSame} determines the action. For a
   * change that replaces the chunk, the result is always published.
   *
   * @param before the present version; a new chunk if the base is {@link Base#REPLACED}
   * @return the next version; {@code before} itself if the present version does not change
   */
  MemoryChunk apply(MemoryChunk before);

  /** Returns the action for a chunk whose version does not change. */
  default WhenSame whenSame() {
    return WhenSame.LEFT;
  }

  /** Action for a chunk whose version does not change. */
  enum WhenSame {
    /** The chunk is left as it is. */
    LEFT,
    /** The chunk is stored again, although its version has not changed. */
    STORED_ANEW
  }

  /** The basis of a change: the present version of the chunk, or none. */
  enum Base {
    /** The change is applied to the present version. */
    PRESENT,
    /** The change replaces the whole chunk, so the stored chunk need not be read. */
    REPLACED
  }

  /** The part of a chunk that is accessed. */
  enum Coverage {
    /** Not all elements within the extent. */
    PART,
    /** All elements within the extent. */
    WHOLE
  }
}
