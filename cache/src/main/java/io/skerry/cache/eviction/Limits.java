package io.skerry.cache.eviction;

import io.skerry.cache.CacheOptions;
import java.util.function.LongConsumer;

/**
 * The current limits of the cache in bytes. The quiescent limit grows if a higher limit would have
 * avoided loads, and shrinks again if a higher limit would not have avoided the recent loads.
 *
 * <ul>
 *   <li>A request for parts of chunks is likely to be followed by requests for other parts of the
 *       same chunks, so the limit grows to the estimated size of these chunks, plus an eighth.
 *   <li>A chunk that is loaded again would probably have been a hit if the limit had been higher by
 *       the size of the chunks evicted since. The limit grows to that value, plus an eighth.
 *   <li>If chunks with a total size of more than four times the limit are loaded, and none of them
 *       had been evicted recently, the limit shrinks by an eighth of its growth.
 * </ul>
 *
 * <p>The quiescent limit never exceeds the maximum in the options. Any thread may read the limits;
 * changes are synchronized.
 */
public final class Limits {
  /** Total size of the loads after which the limit shrinks, as a multiple of the limit. */
  private static final int PATIENCE = 4;

  /** A value larger than any memory, but small enough that computed limits do not overflow. */
  private static final long MOST = 1L << 58;

  private final LongConsumer activeChanged;

  /** Written by one thread at a time. */
  private volatile Now now;

  private long loadedInVain;

  /**
   * The options and the current quiescent limit.
   *
   * @param options options of the cache
   * @param quiescent current quiescent limit in bytes
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
   * @param activeChanged the receiver of the active limit during construction and after each
   *     change, in the order of the changes
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

  /** Returns the present options. */
  public CacheOptions options() {
    return now.options();
  }

  /**
   * Replaces the options and discards the growth of the limits. The caller must evict chunks in
   * excess of the new limits.
   */
  public synchronized void configure(CacheOptions others) {
    become(new Now(others, 0).with(0));
    loadedInVain = 0;
  }

  /** Returns the quiescent limit in bytes, which applies while no request runs. */
  public long quiescent() {
    return now.quiescent();
  }

  /**
   * Returns the active limit in bytes, which applies while requests run and grows with the
   * quiescent limit.
   */
  public long active() {
    return now.active();
  }

  /**
   * Records a request for parts of chunks.
   *
   * @param bytes total size of these chunks in bytes
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
   * @param needed limit in bytes at which the chunk would have stayed in the cache
   */
  synchronized void loadedAgain(long needed) {
    growTo(needed + needed / 8);
    loadedInVain = 0;
  }

  /**
   * Records a load of a chunk that had not been evicted recently.
   *
   * @param bytes size of the chunk in bytes
   */
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
