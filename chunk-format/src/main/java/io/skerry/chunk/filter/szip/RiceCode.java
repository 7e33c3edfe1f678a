package io.skerry.chunk.filter.szip;

/**
 * Definitions of the extended Rice code that the encoder and the decoder share.
 *
 * <p>A block consists of an identifier of 3, 4 or 5 bits (for samples of up to 8, 16 or 32 bits),
 * the reference sample in the first block of a scan line if differences are coded, and the samples:
 *
 * <pre>
 * 0, then 0   number of blocks of zeros, in unary
 * 0, then 1   second extension: pairs of samples, each pair one unary number
 * 1 .. n-2    split: the sample without its low (id - 1) bits in unary, then those low bits
 * n-1         the samples, uncompressed
 * </pre>
 *
 * A number in unary is as many zero bits followed by a one bit. Source: CCSDS 121.0-B, Lossless
 * Data Compression.
 */
final class RiceCode {
  /** The unary number that stands for zeros up to the end of the segment or scan line. */
  static final int REST_OF_SEGMENT = 5;

  /** Number of blocks in a segment. */
  static final int SEGMENT = 64;

  private RiceCode() {}

  /** Size of a block's identifier in bits. */
  static int idBits(int sampleBits) {
    return sampleBits > 16 ? 5 : sampleBits > 8 ? 4 : 3;
  }

  /**
   * Returns the number of a pair of samples in the second extension, which counts pairs diagonally.
   */
  static long pair(long first, long second) {
    long sum = first + second;
    return sum * (sum + 1) / 2 + second;
  }
}
