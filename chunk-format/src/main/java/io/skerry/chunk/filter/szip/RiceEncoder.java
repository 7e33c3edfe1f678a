package io.skerry.chunk.filter.szip;

import io.skerry.chunk.filter.bits.BitOutput;

/**
 * Encodes scan lines of samples, choosing the shortest code for each block. See {@link RiceCode}.
 */
final class RiceEncoder {
  private final BitOutput out;
  private final int block;
  private final int blocks;
  private final int bits;
  private final int idBits;
  private final boolean differential;
  private final int[] codes;

  RiceEncoder(SzipParameters p, BitOutput out) {
    this.out = out;
    block = p.block();
    blocks = p.blocks();
    bits = p.sampleBits();
    idBits = RiceCode.idBits(bits);
    differential = p.isDifferential();
    codes = new int[block * blocks];
  }

  /** Encodes a scan line, which must include its padding. */
  void add(int[] line) {
    if (differential) {
      differentiate(line);
    } else {
      System.arraycopy(line, 0, codes, 0, codes.length);
    }
    int zeros = 0;
    for (int b = 0; b < blocks; b++) {
      if (isZero(b)) {
        zeros++;
        boolean last = b + 1 == blocks || (b + 1) % RiceCode.SEGMENT == 0;
        if (last) {
          zeros(b + 1 - zeros, zeros, line[0], zeros > 4);
          zeros = 0;
        }
      } else {
        if (zeros > 0) {
          zeros(b - zeros, zeros, line[0], false);
          zeros = 0;
        }
        block(b, line[0]);
      }
    }
  }

  private void differentiate(int[] line) {
    int most = (int) (-1L >>> (64 - bits));
    codes[0] = 0;
    for (int i = 1; i < codes.length; i++) {
      int before = line[i - 1];
      int value = line[i];
      int room = Math.min(before, most - before);
      int step = Math.abs(value - before);
      if (step <= room) {
        codes[i] = value >= before ? 2 * step : 2 * step - 1;
      } else {
        codes[i] = before < most - before ? value : most - value;
      }
    }
  }

  private boolean isZero(int b) {
    for (int i = b * block; i < (b + 1) * block; i++) {
      if (codes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean hasReference(int b) {
    return differential && b == 0;
  }

  private void zeros(int first, int count, int reference, boolean toTheEnd) {
    out.put(0, idBits + 1);
    if (hasReference(first)) {
      out.put(reference, bits);
    }
    int code = count < RiceCode.REST_OF_SEGMENT ? count : count + 1;
    out.putZeros((toTheEnd ? RiceCode.REST_OF_SEGMENT : code) - 1);
  }

  private void block(int b, int reference) {
    int from = b * block;
    int skipped = hasReference(b) ? 1 : 0;
    int samples = block - skipped;
    long plain = (long) samples * bits;
    int low = 0;
    long best = Long.MAX_VALUE;
    for (int k = 0; k <= (1 << idBits) - 3 && k < bits; k++) {
      long length = (long) samples * (k + 1);
      for (int i = from + skipped; i < from + block; i++) {
        length += codes[i] >>> k;
      }
      if (length < best) {
        best = length;
        low = k;
      }
    }
    if (pairsLength(from) < Math.min(best, plain)) {
      pairs(from, skipped, reference);
    } else if (best < plain) {
      split(from, skipped, reference, low);
    } else {
      out.put((1 << idBits) - 1, idBits);
      for (int i = from; i < from + block; i++) {
        out.put(i < from + skipped ? reference : codes[i], bits);
      }
    }
  }

  private long pairsLength(int from) {
    long length = 1;
    for (int i = from; i < from + block; i += 2) {
      length += RiceCode.pair(codes[i], codes[i + 1]) + 1;
    }
    return length;
  }

  private void pairs(int from, int skipped, int reference) {
    out.put(1, idBits + 1);
    if (skipped == 1) {
      out.put(reference, bits);
    }
    for (int i = from; i < from + block; i += 2) {
      out.putZeros(RiceCode.pair(codes[i], codes[i + 1]));
    }
  }

  private void split(int from, int skipped, int reference, int low) {
    out.put(low + 1, idBits);
    if (skipped == 1) {
      out.put(reference, bits);
    }
    for (int i = from + skipped; i < from + block; i++) {
      out.putZeros(codes[i] >>> low);
    }
    for (int i = from + skipped; i < from + block; i++) {
      out.put(codes[i], low);
    }
  }
}
