package io.skerry.cache;

/**
 * How many bytes of chunks may stay, now. The limit between requests grows where more room would
 * have spared a load, and falls back when what was loaded since is not used again: a program that
 * sets nothing neither falls off a cliff nor keeps memory that it no longer needs.
 *
 * <ul>
 *   <li>A request that takes parts of chunks is likely to be followed by one that takes other parts
 *       of the same ones: what it needs has to stay, all of it.
 *   <li>A chunk that is loaded again shortly after it was evicted would have been a hit, had the
 *       limit been higher by its size.
 *   <li>When as much as four times the limit was loaded and none of it again, an eighth of what had
 *       been gained is given back.
 * </ul>
 *
 * <p>Any thread reads the limits; changes are rare and synchronised.
 */
final class Limits {
  /** What a grown limit has to be of use for, in multiples of itself. */
  private static final int PATIENCE = 4;

  /** More than any memory, and little enough to be multiplied and added. */
  private static final long MOST = 1L << 58;

  private volatile CacheOptions options;
  private volatile long quiescent;
  private long loadedInVain;

  Limits(CacheOptions options) {
    this.options = options;
    this.quiescent = least();
  }

  private long least() {
    return Math.min(MOST, options.quiescent());
  }

  private long most() {
    return Math.min(MOST, options.most());
  }

  /** What was asked for. */
  CacheOptions options() {
    return options;
  }

  /**
   * Takes other limits, and forgets how far the ones before have grown; what is above them has to
   * be evicted by the caller.
   */
  synchronized void configure(CacheOptions others) {
    options = others;
    quiescent = least();
    loadedInVain = 0;
  }

  /** Bytes that may stay between requests. */
  long quiescent() {
    return quiescent;
  }

  /** Bytes that may be there while requests run; grows with the limit between them. */
  long active() {
    CacheOptions asked = options;
    long now = quiescent;
    long between = Math.min(MOST, asked.active() - asked.quiescent());
    return Math.max(now + between, Math.min(2 * now, asked.most()));
  }

  /** A request takes parts of chunks that have so many bytes together. */
  void partsOf(long bytes) {
    if (bytes > quiescent) {
      growTo(Math.min(MOST, bytes) / 8 * 9);
    }
  }

  private synchronized void growTo(long bytes) {
    quiescent = Math.max(quiescent, Math.min(bytes, most()));
  }

  /** A chunk was loaded that had been evicted not long ago. */
  synchronized void loadedAgain(long bytes) {
    growTo(quiescent + bytes);
    loadedInVain = 0;
  }

  /** A chunk was loaded for the first time, or after a long time. */
  synchronized void loaded(long bytes) {
    long least = least();
    if (quiescent == least) {
      return;
    }
    loadedInVain += bytes;
    if (loadedInVain > PATIENCE * quiescent) {
      quiescent = Math.max(least, quiescent - Math.max(1, (quiescent - least) / 8));
      loadedInVain = 0;
    }
  }
}
