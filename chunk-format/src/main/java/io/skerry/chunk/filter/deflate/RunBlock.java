package io.skerry.chunk.filter.deflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A deflate block (RFC 1951) of single bytes and runs of equal bytes. Runs are encoded as matches
 * at distance 1; there is no search for other matches. If encoding does not make the data smaller,
 * the data is written as stored blocks instead.
 *
 * <pre>
 * bits   1      2     5        5       4       3 each      coded      coded        coded
 *      +------+-----+--------+-------+-------+-----------+----------+------------+-----+
 *      | last | 2   | codes  | 1     | codes | lengths   | lengths  | bytes and  | end |
 *      |      |     | of     |       | of    | of length | of codes | runs       | 256 |
 *      |      |     | bytes  |       | length| codes     |          |            |     |
 *      |      |     | - 257  |       | - 4   |           |          |            |     |
 *      +------+-----+--------+-------+-------+-----------+----------+------------+-----+
 * </pre>
 *
 * <p>The block defines two distance codes but uses only the first, because some decoders reject a
 * block with a single distance code.
 */
public final class RunBlock {
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH_BYTE = 0x0101010101010101L;

  private static final int BYTES = 256;
  private static final int END = 256;
  private static final int FIRST_LENGTH = 257;
  private static final int LAST_LENGTH = 285;
  private static final int SHORTEST = 3;
  private static final int LONGEST = 258;
  private static final int DISTANCES = 2;

  /**
   * The maximum length of a code in bits: four codes and the remaining bits of a byte fit in a
   * store of 64 bits.
   */
  private static final int CODE_BITS = 14;

  private static final int LENGTH_CODE_BITS = 7;
  private static final int STORED_LIMIT = 65_535;

  /** The order in which the lengths of the code-length codes are stored. */
  private static final int[] LENGTH_ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  private final byte[] bytes;
  private final int from;
  private final int to;

  /** The start and end of each run, in ascending order. */
  private int[] runs = new int[16];

  private int runEnds;
  private final int[] counts = new int[LAST_LENGTH + 1];
  private final HuffmanCode code;
  private final CodeLengths head;
  private final long bits;

  /** The position of a block in the stream. */
  public enum Place {
    /** Another block follows. */
    INNER,
    /** This is the last block. */
    LAST
  }

  /**
   * Creates a block for a range of bytes.
   *
   * @param bytes the array that contains the bytes
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IllegalArgumentException if the range is empty or not within the array
   */
  public RunBlock(byte[] bytes, int from, int to) {
    if (from < 0 || from >= to || to > bytes.length) {
      throw new IllegalArgumentException("empty block: from=" + from + " to=" + to);
    }
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    findRuns();
    counts[END] = 1;
    code = HuffmanCode.of(counts, CODE_BITS);
    head = new CodeLengths(code.lengths(), DISTANCES);
    bits = head.bits() + codedBits();
  }

  private void findRuns() {
    // Adjacent bytes are often equal. With two sets of counters, successive increments need not
    // wait for each other.
    int[] even = new int[BYTES];
    int[] odd = new int[BYTES];
    int lowest = from + 1;
    even[bytes[from] & 0xff]++;
    int i = lowest;
    while (i + 8 <= to) {
      long eight = (long) U64.get(bytes, i);
      if (eight != (bytes[i - 1] & 0xffL) * EACH_BYTE) {
        even[(int) eight & 0xff]++;
        odd[(int) (eight >>> 8) & 0xff]++;
        even[(int) (eight >>> 16) & 0xff]++;
        odd[(int) (eight >>> 24) & 0xff]++;
        even[(int) (eight >>> 32) & 0xff]++;
        odd[(int) (eight >>> 40) & 0xff]++;
        even[(int) (eight >>> 48) & 0xff]++;
        odd[(int) (eight >>> 56) & 0xff]++;
        i += 8;
      } else {
        int value = bytes[i] & 0xff;
        int begin = i;
        while (begin > lowest && bytes[begin - 1] == bytes[begin - 2]) {
          begin--;
        }
        int end = endOfRun(i + 8, eight);
        even[value] -= i - begin;
        lowest = addRun(begin, end);
        even[value] += end - lowest;
        i = end;
      }
    }
    for (; i < to; i++) {
      even[bytes[i] & 0xff]++;
    }
    for (int symbol = 0; symbol < BYTES; symbol++) {
      counts[symbol] = even[symbol] + odd[symbol];
    }
  }

  private int endOfRun(int start, long eight) {
    int end = start;
    while (end + 8 <= to) {
      long differs = (long) U64.get(bytes, end) ^ eight;
      if (differs != 0) {
        return end + (Long.numberOfTrailingZeros(differs) >>> 3);
      }
      end += 8;
    }
    while (end < to && bytes[end] == (byte) eight) {
      end++;
    }
    return end;
  }

  /**
   * Records a run.
   *
   * @return the end of the part to encode as a run: one or two bytes beyond a multiple of the
   *     maximum length are encoded as single bytes
   */
  private int addRun(int begin, int end) {
    int rest = (end - begin) % LONGEST;
    int kept = rest < SHORTEST ? end - rest : end;
    counts[LAST_LENGTH] += (kept - begin) / LONGEST;
    if (kept == end && rest > 0) {
      counts[lengthSymbol(rest)]++;
    }
    if (runEnds == runs.length) {
      runs = Arrays.copyOf(runs, 2 * runs.length);
    }
    runs[runEnds++] = begin;
    runs[runEnds++] = kept;
    return kept;
  }

  /** Returns the symbol for a length of 3 to 258 (RFC 1951, section 3.2.5). */
  private static int lengthSymbol(int length) {
    if (length == LONGEST) {
      return LAST_LENGTH;
    }
    int above = length - SHORTEST;
    if (above < 8) {
      return FIRST_LENGTH + above;
    }
    // There are four symbols for each power of two.
    int extra = extraBits(above);
    return FIRST_LENGTH + 4 * extra + (above >>> extra);
  }

  private static int extraBits(int above) {
    return above < 8 ? 0 : 29 - Integer.numberOfLeadingZeros(above);
  }

  private long codedBits() {
    long sum = 0;
    for (int symbol = 0; symbol < counts.length; symbol++) {
      int extra =
          symbol > FIRST_LENGTH + 7 && symbol < LAST_LENGTH ? (symbol - FIRST_LENGTH - 4) / 4 : 0;
      int distance = symbol >= FIRST_LENGTH ? 1 : 0;
      sum += (long) counts[symbol] * (code.length(symbol) + extra + distance);
    }
    return sum;
  }

  /**
   * Returns the size of the block in bits if it starts at a byte boundary; elsewhere, the size may
   * differ by a few bits.
   */
  public long bits() {
    return Math.min(bits, storedBits());
  }

  private long storedBits() {
    long parts = (to - from + STORED_LIMIT - 1L) / STORED_LIMIT;
    return 8L * (to - from) + 40 * parts;
  }

  /** Returns the number of bytes outside runs. */
  public int literals() {
    int inRuns = 0;
    for (int run = 0; run < runEnds; run += 2) {
      inRuns += runs[run + 1] - runs[run];
    }
    return to - from - inRuns;
  }

  /** Writes the block. */
  public void write(LowBitOutput out, Place place) {
    out.reserve(bits() + 64);
    if (bits < storedBits()) {
      writeCoded(out, place);
    } else {
      writeStored(out, place);
    }
  }

  private void writeCoded(LowBitOutput out, Place place) {
    out.put(place.ordinal(), 1);
    out.put(2, 2);
    head.write(out);
    int[] codes = code.codes();
    int at = from;
    for (int run = 0; run < runEnds; run += 2) {
      out.putCoded(bytes, at, runs[run], codes);
      for (int left = runs[run + 1] - runs[run]; left > 0; left -= LONGEST) {
        putRun(Math.min(left, LONGEST), codes, out);
      }
      at = runs[run + 1];
    }
    out.putCoded(bytes, at, to, codes);
    out.put(codes[END] & 0xffff, codes[END] >>> 16);
  }

  private static void putRun(int length, int[] codes, LowBitOutput out) {
    int entry = codes[lengthSymbol(length)];
    int extra = length == LONGEST ? 0 : extraBits(length - SHORTEST);
    long low = (length - SHORTEST) & ((1L << extra) - 1);
    // The distance code is a single zero bit.
    out.put(entry & 0xffff | low << (entry >>> 16), (entry >>> 16) + extra + 1);
  }

  private void writeStored(LowBitOutput out, Place place) {
    for (int at = from; at < to; at += STORED_LIMIT) {
      int length = Math.min(STORED_LIMIT, to - at);
      boolean last = place == Place.LAST && at + length == to;
      writeStored(bytes, at, length, last ? Place.LAST : Place.INNER, out);
    }
  }

  private static void writeStored(
      byte[] bytes, int from, int length, Place place, LowBitOutput out) {
    out.reserve(64);
    out.put(place.ordinal(), 3);
    out.align();
    out.put(length, 16);
    out.put(~length & 0xffff, 16);
    out.putBytes(bytes, from, from + length);
  }

  /** Writes an empty stored block. The output is then at a byte boundary. */
  public static void writeNothing(LowBitOutput out) {
    writeStored(new byte[0], 0, 0, Place.INNER, out);
  }

  /** The lengths of the codes, as encoded in the block (RFC 1951, section 3.2.7). */
  private static final class CodeLengths {
    private static final int REPEAT = 16;
    private static final int FEW_ZEROS = 17;
    private static final int MANY_ZEROS = 18;
    private static final int SYMBOLS = 19;

    private final int lengthCount;
    private final int distances;

    /** Symbols in the low 8 bits, and above them the extra bits that follow each symbol. */
    private final int[] encoded;

    private int count;
    private final HuffmanCode code;
    private final int orderCount;

    /**
     * Encodes code lengths.
     *
     * @param lengths the lengths of the codes of bytes and runs
     * @param distances the number of distance codes, each of one bit
     */
    CodeLengths(int[] lengths, int distances) {
      int last = lengths.length;
      while (lengths[last - 1] == 0) {
        last--;
      }
      this.lengthCount = last;
      this.distances = distances;
      int[] all = Arrays.copyOf(lengths, last + distances);
      Arrays.fill(all, last, all.length, 1);
      encoded = new int[all.length];
      for (int at = 0; at < all.length; ) {
        int end = at + 1;
        while (end < all.length && all[end] == all[at]) {
          end++;
        }
        encode(all[at], end - at);
        at = end;
      }
      int[] counts = new int[SYMBOLS];
      for (int i = 0; i < count; i++) {
        counts[encoded[i] & 0xff]++;
      }
      code = HuffmanCode.of(counts, LENGTH_CODE_BITS);
      int order = SYMBOLS;
      while (code.length(LENGTH_ORDER[order - 1]) == 0) {
        order--;
      }
      orderCount = order;
    }

    private void encode(int length, int times) {
      int left = times;
      if (length == 0) {
        for (; left >= 11; left -= Math.min(left, 138)) {
          encoded[count++] = MANY_ZEROS | (Math.min(left, 138) - 11) << 8;
        }
        if (left >= 3) {
          encoded[count++] = FEW_ZEROS | (left - 3) << 8;
          left = 0;
        }
      } else {
        encoded[count++] = length;
        left--;
        for (; left >= 3; left -= Math.min(left, 6)) {
          encoded[count++] = REPEAT | (Math.min(left, 6) - 3) << 8;
        }
      }
      for (; left > 0; left--) {
        encoded[count++] = length;
      }
    }

    private static int extraBits(int symbol) {
      return switch (symbol) {
        case REPEAT -> 2;
        case FEW_ZEROS -> 3;
        case MANY_ZEROS -> 7;
        default -> 0;
      };
    }

    /** Returns the size of the block up to the first coded byte, in bits. */
    long bits() {
      long sum = 3 + 5 + 5 + 4 + 3L * orderCount;
      for (int i = 0; i < count; i++) {
        int symbol = encoded[i] & 0xff;
        sum += code.length(symbol) + extraBits(symbol);
      }
      return sum;
    }

    void write(LowBitOutput out) {
      out.put(lengthCount - FIRST_LENGTH, 5);
      out.put(distances - 1, 5);
      out.put(orderCount - 4, 4);
      for (int i = 0; i < orderCount; i++) {
        out.put(code.length(LENGTH_ORDER[i]), 3);
      }
      int[] codes = code.codes();
      for (int i = 0; i < count; i++) {
        int symbol = encoded[i] & 0xff;
        out.put(codes[symbol] & 0xffff, codes[symbol] >>> 16);
        out.put(encoded[i] >>> 8, extraBits(symbol));
      }
    }
  }
}
