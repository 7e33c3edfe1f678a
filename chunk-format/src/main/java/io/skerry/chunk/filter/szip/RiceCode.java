package io.skerry.chunk.filter.szip;

/**
 * What encoder and decoder of the extended Rice code agree on.
 *
 * <p>A block is an identifier of 3, 4 or 5 bits (samples up to 8, 16, 32 bits), in the first block
 * of a scan line with differences the reference sample, and the samples:
 *
 * <pre>
 * 0, then 0   so many blocks of zeros, in unary
 * 0, then 1   second extension: pairs of samples, each pair one unary number
 * 1 .. n-2    split: the sample without its low (id - 1) bits in unary, then those low bits
 * n-1         the samples as they are
 * </pre>
 *
 * Unary is so many zero bits and a one. Source: CCSDS 121.0-B, lossless data compression.
 */
final class RiceCode {
  /** The unary number that says: zeros to the end of the segment or the scan line. */
  static final int REST_OF_SEGMENT = 5;

  /** Blocks per segment. */
  static final int SEGMENT = 64;

  private RiceCode() {}

  /** Bits of a block's identifier. */
  static int idBits(int sampleBits) {
    return sampleBits > 16 ? 5 : sampleBits > 8 ? 4 : 3;
  }

  /** The number of a pair of samples in the second extension: pairs in diagonal order. */
  static long pair(long first, long second) {
    long sum = first + second;
    return sum * (sum + 1) / 2 + second;
  }
}
