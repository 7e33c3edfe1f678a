package io.skerry.chunk.filter.szip;

/**
 * Definitions of the extended Rice code, shared by the encoder and the decoder.
 *
 * <p>A block consists of an identifier of 3, 4 or 5 bits (for samples of up to 8, 16 or 32 bits),
 * one more bit if the identifier is 0, the reference sample in the first block of a scan line if
 * differences are coded, and the samples. The form of the samples depends on the identifier; n is
 * the number of identifiers, 8, 16 or 32:
 *
 * <pre>
 * 0, then 0   a run of blocks of zeros: a code for their number, minus 1, in unary
 * 0, then 1   second extension: for each pair of samples, the number of the pair in unary
 * 1 .. n-2    split: each sample without its lowest (identifier - 1) bits, in unary; then the
 *             lowest bits of all samples
 * n-1         the samples, uncompressed
 * </pre>
 *
 * In unary, a number v is coded as v zero bits followed by a one bit. Source: CCSDS 121.0-B,
 * Lossless Data Compression.
 */
final class RiceCode {
  /**
   * The code for a run of blocks of zeros that extends to the end of the segment or scan line.
   * Codes below it are block counts; codes above it are block counts plus 1.
   */
  static final int REST_OF_SEGMENT = 5;

  /** Number of blocks in a segment. */
  static final int SEGMENT = 64;

  private RiceCode() {}

  /** Returns the size of a block's identifier in bits, for samples of the given size in bits. */
  static int idBits(int sampleBits) {
    return sampleBits > 16 ? 5 : sampleBits > 8 ? 4 : 3;
  }

  /**
   * Returns the number of a pair of samples in the second extension. Pairs are numbered in order of
   * their sum, and pairs of equal sum in order of their second sample.
   */
  static long pair(long first, long second) {
    long sum = first + second;
    return sum * (sum + 1) / 2 + second;
  }
}
