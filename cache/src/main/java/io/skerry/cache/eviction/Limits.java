package io.skerry.cache.eviction;

import io.skerry.cache.CacheOptions;
import java.util.function.LongConsumer;

/**
 * How many bytes of chunks may stay, now. The limit between requests grows where more room would
 * have spared a load, and falls back when what was loaded since is not used again: a program that
 * sets nothing neither falls off a cliff nor keeps memory that it no longer needs.
 *
 * <ul>
 *   <li>A request that takes parts of chunks is likely to be followed by one that takes other parts
 *       of the same ones: what it needs has to stay, all of it.
 *   <li>A chunk that is loaded again would have been a hit, had the limit been higher by all that
 *       was evicted since it was there. If it may be that high it becomes so: who goes over more
 *       chunks than fit, again and again, loads each of them twice.
 *   <li>When as much as four times the limit was loaded and none of it again, an eighth of what had
 *       been gained is given back.
 * </ul>
 *
 * <p>Any thread reads the limits; changes are rare and synchronised.
 */
public final class Limits {
  /** What a grown limit has to be of use for, in multiples of itself. */
  private static final int PATIENCE = 4;

  /** More than any memory, and little enough to be multiplied and added. */
  private static final long MOST = 1L << 58;

  private final LongConsumer activeChanged;

  /** Changed by one thread at a time. */
  private volatile Now now;

  private long loadedInVain;

  /**
   * What was asked for, and what came of it.
   *
   * @param quiescent bytes that may stay between requests
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
   * @param activeChanged is told the active limit, now and whenever it changes, in this order
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

  /** What was asked for. */
  public CacheOptions options() {
    return now.options();
  }

  /**
   * Takes other limits, and forgets how far the ones before have grown; what is above them has to
   * be evicted by the caller.
   */
  public synchronized void configure(CacheOptions others) {
    become(new Now(others, 0).with(0));
    loadedInVain = 0;
  }

  /** Bytes that may stay between requests. */
  public long quiescent() {
    return now.quiescent();
  }

  /** Bytes that may be there while requests run; grows with the limit between them. */
  public long active() {
    return now.active();
  }

  /** A request takes parts of chunks that have so many bytes together. */
  public void partsOf(long bytes) {
    if (bytes > now.quiescent()) {
      growTo(Math.min(MOST, bytes) / 8 * 9);
    }
  }

  private synchronized void growTo(long bytes) {
    become(now.with(Math.max(now.quiescent(), bytes)));
  }

  /**
   * A chunk was loaded that had been evicted.
   *
   * @param needed the limit at which it would still have been there
   */
  synchronized void loadedAgain(long needed) {
    growTo(needed + needed / 8);
    loadedInVain = 0;
  }

  /** A chunk was loaded for the first time, or after a long time. */
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
