package io.skerry.cache;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.MemoryChunk;
import io.skerry.chunk.space.RunSet;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * What the cache knows of one chunk. A state is immutable; an {@link Entry} goes from one to the
 * next by compare-and-set, so that whoever reads it has all of it at once.
 *
 * <pre>
 *              claim             loaded            written
 *   (absent) ---------> Loading --------> Clean ---------------> Dirty
 *                        |  ^               |  <---------------   | ^
 *                 failed |  | values asked  |       stored        | | written
 *                        v  |               |                     v |
 *                      Gone Located         +------> Gone <---- Encoded
 *                                            evicted      stored and evicted
 * </pre>
 *
 * <p>{@code Gone} is final. Whoever finds it looks the chunk up again.
 */
sealed interface ChunkState {
  /** Bytes that the entry counts for, itself not included. */
  default long bytes() {
    return 0;
  }

  /**
   * One thread is getting the chunk.
   *
   * @param ended reaches 0 when the state is another
   */
  record Loading(CountDownLatch ended) implements ChunkState {
    Loading() {
      this(new CountDownLatch(1));
    }
  }

  /**
   * Only the first section was read.
   *
   * @param defined which elements are defined
   */
  record Located(RunSet defined) implements ChunkState {
    @Override
    public long bytes() {
      return 16L * defined.runs();
    }
  }

  /** The chunk is in memory. */
  sealed interface Held extends ChunkState {
    /** The newest version. */
    MemoryChunk chunk();

    @Override
    default long bytes() {
      return chunk().bytes();
    }
  }

  /** As it is stored. */
  record Clean(MemoryChunk chunk) implements Held {}

  /** Newer than what is stored. */
  sealed interface Unstored extends Held {}

  /** Nobody has encoded this version. */
  record Dirty(MemoryChunk chunk) implements Unstored {}

  /**
   * This version was encoded ahead.
   *
   * @param image what to store; empty if the chunk is to be deleted
   */
  record Encoded(MemoryChunk chunk, Optional<ChunkImage> image) implements Unstored {
    @Override
    public long bytes() {
      return chunk.bytes() + image.map(i -> i.bytes().byteSize()).orElse(0L);
    }
  }

  /** No longer in the cache. */
  record Gone() implements ChunkState {
    static final Gone INSTANCE = new Gone();
  }
}
