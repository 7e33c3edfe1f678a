package io.skerry.cache.table;

/**
 * The identity of a chunk in 128 bits: the bits of its dataset's address and of its chunk number,
 * interleaved, with the least significant bits first.
 *
 * <pre>
 *   bit 127 126 125 124 ...             65  64 | 63  62 ...               1   0
 *        d0  c0  d1  c1 ... d30 c30    d31 c31 | d32 c32 ...            d63 c63
 *       +--------------- high ----------------+-------------- low ------------+
 * </pre>
 *
 * <p>d0 is the least significant bit of the dataset's address, c0 that of the chunk number. No
 * information is lost: {@link #dataset} and {@link #chunk} return the original values. Dataset 6
 * (110) and chunk 5 (101) make high = 01101100..., low = 0. Source: C. Carper, J. Mainzer, "RFC:
 * Shared Chunk Cache Design", 2025, section 2.1.
 *
 * @param high the most significant 64 bits
 * @param low the least significant 64 bits
 */
public record InterleavedKey(long high, long low) {
  private static final long EVEN = 0x5555_5555_5555_5555L;

  /**
   * Returns the key of a chunk.
   *
   * @param dataset address of the object header of the dataset
   * @param chunk chunk number from {@link ChunkNumbers}
   */
  public static InterleavedKey of(long dataset, long chunk) {
    return new InterleavedKey(half(dataset, chunk), half(dataset >>> 32, chunk >>> 32));
  }

  /** Returns the address of the object header of the dataset. */
  public long dataset() {
    return everySecond(0);
  }

  /** Returns the chunk number. */
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
