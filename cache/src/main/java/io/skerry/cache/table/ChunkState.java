package io.skerry.cache.table;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * The state of one chunk in the cache. An {@link Entry} changes from one state to the next by
 * compare-and-set, so a thread that reads the state reads all parts of it consistently. All states
 * are immutable, except that {@link Loading} receives its result.
 *
 * <pre>
 *   state     next state  event
 *   (absent)  Loading     a thread claims the chunk
 *             Clean       the stored version is added
 *             Dirty       a version is written without a load
 *   Loading   Clean       the chunk is loaded
 *             Located     only the defined elements are read
 *             Gone        the claim ends without a result
 *   Located   Loading     a thread claims the chunk for its values
 *             Clean       the stored version is added
 *             Dirty       a version is written without a load
 *             Gone        the chunk is evicted
 *   Clean     Clean       the state object is renewed
 *             Dirty       a version is written
 *             Gone        the chunk is evicted
 *   Dirty     Dirty       a version is written, or the state object is renewed
 *             Encoded     the version is encoded in advance
 *             Clean       the version is stored
 *             Gone        the version is stored and evicted
 *   Encoded   Dirty       a version is written, or the image is discarded
 *             Clean       the version is stored
 *             Gone        the version is stored and evicted
 * </pre>
 *
 * <p>Any state becomes {@code Gone} when the chunk is removed for another reason, for example
 * because its dataset is deleted. {@code Gone} is final. A thread that finds this state looks the
 * chunk up again.
 */
public sealed interface ChunkState {
  /** Returns the size of the chunk in bytes, excluding the entry itself. */
  default long bytes() {
    return 0;
  }

  /**
   * A thread has claimed the chunk, to load it or to read its defined elements. Compared by
   * identity: each claim has its own object.
   */
  final class Loading implements ChunkState {
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Optional<MemoryChunk> loaded = Optional.empty();

    /**
     * Ends the claim with the loaded version, and wakes the waiting threads. Called after the chunk
     * has been loaded and the state has changed.
     */
    public void succeed(MemoryChunk chunk) {
      loaded = Optional.of(chunk);
      ended.countDown();
    }

    /**
     * Ends the claim without a result, and wakes the waiting threads. Called after the state has
     * changed; has no effect after {@link #succeed}.
     */
    public void end() {
      ended.countDown();
    }

    /** Returns whether the claim is still in progress. If it is not, a thread need not wait. */
    public boolean isUnderWay() {
      return ended.getCount() > 0;
    }

    /** Returns the version that was loaded; empty if the chunk has not been loaded. */
    public Optional<MemoryChunk> loaded() {
      return loaded;
    }

    /**
     * Waits until the claim ends.
     *
     * @return the version that was loaded, even if it has been evicted since; empty if it was not
     *     loaded
     */
    public Optional<MemoryChunk> await() throws InterruptedException {
      ended.await();
      return loaded;
    }

    /** Waits until the claim ends, even if the thread is interrupted. */
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
   * Only the section that lists the defined elements was read, not the values.
   *
   * @param defined the defined elements
   */
  record Located(RunSet defined) implements ChunkState {
    /** Bytes for each run: its start, its end, and the number of elements before it. */
    private static final long BYTES_PER_RUN = 24;

    /** Returns the size in bytes of a set with the given number of runs. */
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
    /** Returns the newest version of the chunk. */
    MemoryChunk chunk();

    /**
     * Returns a new state object with the same version and without an image. After the new object
     * has replaced this state, a compare-and-set that expects this state fails.
     */
    Held renewed();

    @Override
    default long bytes() {
      return chunk().bytes();
    }
  }

  /** The version in memory equals the stored chunk. */
  record Clean(MemoryChunk chunk) implements Held {
    @Override
    public Clean renewed() {
      return new Clean(chunk);
    }
  }

  /** The version in memory is newer than the stored chunk. */
  sealed interface Unstored extends Held {}

  /** The version is newer than the stored chunk, and is not encoded. */
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
   * The version is newer than the stored chunk, and was encoded in advance.
   *
   * @param chunk the version
   * @param image the image to store; empty if the chunk must be deleted
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

  /** The chunk is no longer in the cache. */
  record Gone() implements ChunkState {
    public static final Gone INSTANCE = new Gone();
  }
}
