package io.skerry.cache.eviction;

import io.skerry.cache.CacheOptions;
import java.util.function.LongConsumer;

/**
 * The present limits of the cache in bytes. The quiescent limit grows if a higher limit would have
 * avoided loads, and shrinks if chunks loaded since are not used again. So a program that sets no
 * limits has neither a sudden loss of performance when its working set grows, nor a cache that
 * keeps memory it no longer needs.
 *
 * <ul>
 *   <li>A request for parts of chunks is likely to be followed by one for other parts of the same
 *       chunks, so the limit grows to hold all chunks of the request.
 *   <li>A chunk that is loaded again would have been a hit with a limit higher by the size of the
 *       chunks evicted since. The limit grows to that value if it may. A program that repeatedly
 *       iterates over more chunks than fit therefore loads each of them twice.
 *   <li>If chunks of four times the limit were loaded and none of them again, the limit shrinks by
 *       an eighth of its growth.
 * </ul>
 *
 * <p>Any thread may read the limits; changes are rare and synchronised.
 */
public final class Limits {
  /** Size of the loads after which an unused growth is reversed, as a multiple of the limit. */
  private static final int PATIENCE = 4;

  /** A value that exceeds any memory, but is small enough for multiplication and addition. */
  private static final long MOST = 1L << 58;

  private final LongConsumer activeChanged;

  /** Written by one thread at a time. */
  private volatile Now now;

  private long loadedInVain;

  /**
   * Options and present limit.
   *
   * @param options options of the cache
   * @param quiescent present quiescent limit in bytes
   */
  private record Now(CacheOptions options, long quiescent) {
    private long least() {
      return Math.min(MOST, options.quiescent());
    }

    private Now with(long bytes) {
      return new Now(options, Math.clamp(bytes, least(), Math.min(MOST, options.most())));
    }

    private long active() {
      long between = Math.min(MOST, options.active() - options.quiescent());
      return Math.max(quiescent + between, Math.min(2 * quiescent, options.most()));
    }
  }

  /**
   * Creates the limits.
   *
   * @param options options of the cache
   * @param activeChanged receives the active limit, now and after each change, in the order of
   *     changes
   */
  public Limits(CacheOptions options, LongConsumer activeChanged) {
    this.activeChanged = activeChanged;
    this.now = new Now(options, Math.min(MOST, options.quiescent()));
    activeChanged.accept(now.active());
  }

  private void become(Now next) {
    if (!next.equals(now)) {
      now = next;
      activeChanged.accept(next.active());
    }
  }

  /** The present options. */
  public CacheOptions options() {
    return now.options();
  }

  /**
   * Sets other options and discards the growth of the limits. The caller must evict chunks above
   * the new limits.
   */
  public synchronized void configure(CacheOptions others) {
    become(new Now(others, 0).with(0));
    loadedInVain = 0;
  }

  /** Limit while no request runs, in bytes. */
  public long quiescent() {
    return now.quiescent();
  }

  /** Limit while requests run, in bytes; grows with the quiescent limit. */
  public long active() {
    return now.active();
  }

  /**
   * Records a request for parts of chunks.
   *
   * @param bytes total size of these chunks
   */
  public void partsOf(long bytes) {
    if (bytes > now.quiescent()) {
      growTo(Math.min(MOST, bytes) / 8 * 9);
    }
  }

  private synchronized void growTo(long bytes) {
    become(now.with(Math.max(now.quiescent(), bytes)));
  }

  /**
   * Records a load of a chunk that had been evicted.
   *
   * @param needed limit in bytes at which the chunk would have stayed
   */
  synchronized void loadedAgain(long needed) {
    growTo(needed + needed / 8);
    loadedInVain = 0;
  }

  /** Records a load of a chunk that was not evicted recently. */
  synchronized void loaded(long bytes) {
    long grown = now.quiescent() - now.least();
    if (grown == 0) {
      return;
    }
    loadedInVain += bytes;
    if (loadedInVain > PATIENCE * now.quiescent()) {
      become(now.with(now.quiescent() - Math.max(1, grown / 8)));
      loadedInVain = 0;
    }
  }
}
