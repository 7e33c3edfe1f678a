package io.skerry.chunk.filter.szip;

import io.skerry.chunk.filter.bits.BitInput;
import io.skerry.exception.FormatException;

/** Decodes successive scan lines of samples. See {@link RiceCode}. */
final class RiceDecoder {
  /** Highest number of a pair in the second extension: the last pair with a sum of 12. */
  private static final int MAX_PAIR = 90;

  private final BitInput in;
  private final int block;
  private final int blocks;
  private final int bits;
  private final int idBits;
  private final boolean differential;

  /** The samples of a scan line including its padding, or their coded differences. */
  private final int[] line;

  RiceDecoder(SzipParameters p, BitInput in) {
    this.in = in;
    block = p.block();
    blocks = p.blocks();
    bits = p.sampleBits();
    idBits = RiceCode.idBits(bits);
    differential = p.isDifferential();
    line = new int[block * blocks];
  }

  /**
   * Decodes the next scan line.
   *
   * @param wanted number of samples needed; decoding stops after the block that contains the last
   *     of them
   * @return the samples, valid until the next call
   */
  int[] next(int wanted) {
    int at = 0;
    while (at < wanted) {
      int reference = differential && at == 0 ? 1 : 0;
      at = block(at, reference);
    }
    if (differential) {
      integrate(Math.min(at, line.length));
    }
    return line;
  }

  /**
   * Decodes a block, or a run of blocks of zeros.
   *
   * @param at index of the first sample of the block in the scan line
   * @param reference number of reference samples at the start of the block: 0 or 1
   * @return the index of the first sample after the decoded blocks
   */
  private int block(int at, int reference) {
    int id = (int) in.bits(idBits);
    if (id == 0) {
      return in.bits(1) == 0 ? zeros(at, reference) : pairs(at, reference);
    }
    if (id == (1 << idBits) - 1) {
      for (int i = 0; i < block; i++) {
        line[at + i] = (int) in.bits(bits);
      }
      return at + block;
    }
    split(at, reference, id - 1);
    return at + block;
  }

  private void reference(int at, int reference) {
    if (reference == 1) {
      line[at] = (int) in.bits(bits);
    }
  }

  private void split(int at, int reference, int low) {
    reference(at, reference);
    for (int i = at + reference; i < at + block; i++) {
      long high = in.zeros();
      if (low > bits || high >>> (bits - low) != 0) {
        throw fault("split sample", "below 2^" + bits, high + " << " + low);
      }
      line[i] = (int) (high << low);
    }
    if (low > 0) {
      for (int i = at + reference; i < at + block; i++) {
        line[i] |= (int) in.bits(low);
      }
    }
  }

  private int zeros(int at, int reference) {
    reference(at, reference);
    long code = in.zeros() + 1;
    int before = at / block;
    long count = code > RiceCode.REST_OF_SEGMENT ? code - 1 : code;
    if (code == RiceCode.REST_OF_SEGMENT) {
      count = Math.min(blocks - before, RiceCode.SEGMENT - before % RiceCode.SEGMENT);
    }
    if (count > blocks - before) {
      throw fault("blocks of zeros", "at most " + (blocks - before), count);
    }
    int end = at + (int) count * block;
    for (int i = at + reference; i < end; i++) {
      line[i] = 0;
    }
    return end;
  }

  private int pairs(int at, int reference) {
    reference(at, reference);
    for (int i = at; i < at + block; i += 2) {
      long code = in.zeros();
      if (code > MAX_PAIR) {
        throw fault("pair of samples", "at most " + MAX_PAIR, code);
      }
      int sum = (int) (Math.sqrt(8.0 * code + 1) - 1) / 2;
      int second = (int) code - sum * (sum + 1) / 2;
      // The reference sample takes the place of the first sample of the first pair.
      if (i > at || reference == 0) {
        line[i] = sum - second;
      }
      line[i + 1] = second;
    }
    return at + block;
  }

  /**
   * Converts coded differences to samples, in place. As long as a difference of either sign keeps
   * the sample in its range, the codes 0, 1, 2, 3, 4 mean the differences 0, -1, 1, -2, 2, and so
   * on. A larger code is the distance of the sample from the end of the range that is nearer to the
   * previous sample.
   *
   * @param count number of samples
   */
  private void integrate(int count) {
    int most = (int) (-1L >>> (64 - bits));
    int half = most / 2 + 1;
    int value = line[0];
    for (int i = 1; i < count; i++) {
      int code = line[i];
      int room = (value & half) == 0 ? value : most - value;
      int step = (code >>> 1) + (code & 1);
      if (step <= room) {
        value += (code & 1) == 0 ? step : -step;
      } else {
        value = (value & half) == 0 ? code : most - code;
      }
      line[i] = value & most;
    }
  }

  private static FormatException fault(String what, Object expected, Object actual) {
    return new FormatException("szip stream: " + what, expected, actual);
  }
}
