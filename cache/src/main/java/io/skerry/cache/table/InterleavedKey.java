package io.skerry.cache.table;

/**
 * The identity of a chunk in 128 bits: those of its dataset's address and of its chunk number by
 * turns, the least significant first.
 *
 * <pre>
 *   bit 127 126 125 124 ...             65  64 | 63  62 ...               1   0
 *        d0  c0  d1  c1 ... d30 c30    d31 c31 | d32 c32 ...            d63 c63
 *       +--------------- high ----------------+-------------- low ------------+
 * </pre>
 *
 * <p>d0 is the least significant bit of the dataset's address, c0 that of the chunk number. Nothing
 * is lost: {@link #dataset} and {@link #chunk} give back what went in. Dataset 6 (110) and chunk 5
 * (101) make high = 01101100..., low = 0. Source: shared chunk cache design 2025, section 2.1.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record InterleavedKey(long high, long low) {
  private static final long EVEN = 0x5555_5555_5555_5555L;

  /**
   * The key of a chunk.
   *
   * @param dataset address of the dataset's object header
   * @param chunk the chunk's number, as {@link ChunkNumbers} gives it
   */
  public static InterleavedKey of(long dataset, long chunk) {
    return new InterleavedKey(half(dataset, chunk), half(dataset >>> 32, chunk >>> 32));
  }

  /** Address of the dataset's object header. */
  public long dataset() {
    return everySecond(0);
  }

  /** The chunk's number. */
  public long chunk() {
    return everySecond(1);
  }

  private static long half(long dataset, long chunk) {
    return Long.reverse(Long.expand(dataset, EVEN) | Long.expand(chunk, EVEN) << 1);
  }

  private long everySecond(int first) {
    return Long.compress(Long.reverse(high) >>> first, EVEN)
        | Long.compress(Long.reverse(low) >>> first, EVEN) << 32;
  }
}
