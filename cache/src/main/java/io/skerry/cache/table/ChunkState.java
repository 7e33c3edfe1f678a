package io.skerry.cache.table;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
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
public sealed interface ChunkState {
  /** Bytes that the entry counts for, itself not included. */
  default long bytes() {
    return 0;
  }

  /**
   * One thread is getting the chunk. Two of these are the same only if they are one object: each
   * claim is another.
   */
  final class Loading implements ChunkState {
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Optional<MemoryChunk> loaded = Optional.empty();

    /** The chunk is there, and the state another. */
    public void succeed(MemoryChunk chunk) {
      loaded = Optional.of(chunk);
      ended.countDown();
    }

    /** The state is another; has no effect after {@link #succeed}. */
    public void end() {
      ended.countDown();
    }

    /** Returns whether the state is this one still; who finds that it is not need not wait. */
    public boolean isUnderWay() {
      return ended.getCount() > 0;
    }

    /** The version that was loaded, if it was. */
    public Optional<MemoryChunk> loaded() {
      return loaded;
    }

    /**
     * Waits until the state is another.
     *
     * @return the version that was loaded, even if it has been evicted since; empty if it was not
     *     loaded
     */
    public Optional<MemoryChunk> await() throws InterruptedException {
      ended.await();
      return loaded;
    }

    /** The same, however often the thread is interrupted meanwhile. */
    public void awaitUninterrupted() {
      boolean interrupted = false;
      while (true) {
        try {
          ended.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Only the first section was read.
   *
   * @param defined which elements are defined
   */
  record Located(RunSet defined) implements ChunkState {
    /** Start, end, and how many elements are before. */
    private static final long BYTES_PER_RUN = 24;

    /** What so many runs take. */
    static long bytes(long runs) {
      return Saturating.product(BYTES_PER_RUN, runs);
    }

    @Override
    public long bytes() {
      return bytes(defined.runs());
    }
  }

  /** The chunk is in memory. */
  sealed interface Held extends ChunkState {
    /** The newest version. */
    MemoryChunk chunk();

    /** Another state with the same version, without an image; a change from this one fails then. */
    Held renewed();

    @Override
    default long bytes() {
      return chunk().bytes();
    }
  }

  /** As it is stored. */
  record Clean(MemoryChunk chunk) implements Held {
    @Override
    public Clean renewed() {
      return new Clean(chunk);
    }
  }

  /** Newer than what is stored. */
  sealed interface Unstored extends Held {}

  /** Nobody has encoded this version. */
  record Dirty(MemoryChunk chunk) implements Unstored {
    @Override
    public long bytes() {
      return chunk.unstoredBytes();
    }

    @Override
    public Dirty renewed() {
      return new Dirty(chunk);
    }
  }

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

    @Override
    public Dirty renewed() {
      return new Dirty(chunk);
    }
  }

  /** No longer in the cache. */
  record Gone() implements ChunkState {
    public static final Gone INSTANCE = new Gone();
  }
}
