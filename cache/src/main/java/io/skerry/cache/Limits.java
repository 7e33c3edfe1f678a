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

  private volatile CacheOptions options;
  private volatile long quiescent;
  private long loadedInVain;

  Limits(CacheOptions options) {
    this.options = options;
    this.quiescent = options.quiescent();
  }

  /** What was asked for. */
  CacheOptions options() {
    return options;
  }

  /** Takes other limits; what is above them has to be evicted by the caller. */
  synchronized void configure(CacheOptions others) {
    options = others;
    quiescent = Math.clamp(quiescent, others.quiescent(), others.most());
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
    long grown = Math.min(2 * now, asked.most());
    return Math.max(now + asked.active() - asked.quiescent(), grown);
  }

  /** A request takes parts of chunks that have so many bytes together. */
  void partsOf(long bytes) {
    if (bytes > quiescent) {
      growTo(bytes + bytes / 8);
    }
  }

  private synchronized void growTo(long bytes) {
    if (Math.min(bytes, options.most()) > quiescent) {
      quiescent = Math.min(bytes, options.most());
    }
  }

  /** A chunk was loaded that had been evicted not long ago. */
  synchronized void loadedAgain(long bytes) {
    quiescent = Math.max(quiescent, Math.min(options.most(), quiescent + bytes));
    loadedInVain = 0;
  }

  /** A chunk was loaded for the first time, or after a long time. */
  synchronized void loaded(long bytes) {
    long least = options.quiescent();
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
