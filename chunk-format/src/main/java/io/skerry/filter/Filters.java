package io.skerry.filter;

import java.util.Optional;

/**
 * Makes specifications of filters for new datasets. All but fletcher32 are optional, as in other
 * libraries: a chunk that a filter would enlarge is stored without it. Parameters that depend on
 * the data (element size, chunk shape, fill value) are set when the dataset is created. Methods
 * throw {@link IllegalArgumentException} if a parameter is out of range.
 */
public final class Filters {
  /** Number of deflate. */
  public static final int DEFLATE = 1;

  /** Number of shuffle. */
  public static final int SHUFFLE = 2;

  /** Number of fletcher32. */
  public static final int FLETCHER32 = 3;

  /** Number of szip. */
  public static final int SZIP = 4;

  /** Number of nbit. */
  public static final int NBIT = 5;

  /** Number of scale-offset. */
  public static final int SCALE_OFFSET = 6;

  /** Number of bzip2. */
  public static final int BZIP2 = 307;

  /** Number of LZF. */
  public static final int LZF = 32000;

  /** Number of Blosc. */
  public static final int BLOSC = 32001;

  /** Number of LZ4. */
  public static final int LZ4 = 32004;

  /** Number of bitshuffle. */
  public static final int BITSHUFFLE = 32008;

  /** Number of Zstandard. */
  public static final int ZSTD = 32015;

  private Filters() {}

  /**
   * Shuffles the bytes of elements; the element size is set when the dataset is created. Local,
   * thread-safe; does not fail.
   */
  public static FilterSpec shuffle() {
    return FilterSpec.of(SHUFFLE, FilterSpec.Flag.OPTIONAL);
  }

  /**
   * Shuffles the bytes of elements of a given size. Local, thread-safe.
   *
   * @param elementSize bytes, at least 1
   * @throws IllegalArgumentException if the element size is less than 1
   */
  public static FilterSpec shuffle(int elementSize) {
    if (elementSize < 1) {
      throw new IllegalArgumentException("shuffle element size: elementSize=" + elementSize);
    }
    return FilterSpec.of(SHUFFLE, FilterSpec.Flag.OPTIONAL, elementSize);
  }

  /**
   * Compresses by deflate, readable by zlib. Local, thread-safe.
   *
   * @param level 0 (none) to 9 (smallest)
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec deflate(int level) {
    if (level < 0 || level > 9) {
      throw new IllegalArgumentException("deflate level must be 0..9: level=" + level);
    }
    return FilterSpec.of(DEFLATE, FilterSpec.Flag.OPTIONAL, level);
  }

  /** Appends a Fletcher-32 checksum. Local, thread-safe; does not fail. */
  public static FilterSpec fletcher32() {
    return FilterSpec.of(FLETCHER32, FilterSpec.Flag.MANDATORY);
  }

  /**
   * Stores only the significant bits of numbers, for datatypes with a reduced precision. Local,
   * thread-safe; does not fail.
   */
  public static FilterSpec nbit() {
    return FilterSpec.of(NBIT, FilterSpec.Flag.OPTIONAL);
  }

  /**
   * Stores integers as differences from the least of the chunk, in as many bits as needed. Local,
   * thread-safe; does not fail.
   */
  public static FilterSpec scaleOffset() {
    return FilterSpec.of(SCALE_OFFSET, FilterSpec.Flag.OPTIONAL, 2, 0);
  }

  /**
   * Stores integers as differences from the least of the chunk, in a fixed number of bits. Lossy:
   * greater differences are cut. Local, thread-safe.
   *
   * @param bits 1 to those of an element
   * @throws IllegalArgumentException if the number of bits is not 1 to 64
   */
  public static FilterSpec scaleOffsetBits(int bits) {
    if (bits < 1 || bits > 64) {
      throw new IllegalArgumentException("scale-offset bits must be 1..64: bits=" + bits);
    }
    return FilterSpec.of(SCALE_OFFSET, FilterSpec.Flag.OPTIONAL, 2, bits);
  }

  /**
   * Stores floating-point numbers with a number of decimal digits, as differences from the least of
   * the chunk. Lossy: further digits are cut. Local, thread-safe.
   *
   * @param digits number of digits after the decimal point, 0 to 300
   * @throws IllegalArgumentException if the number of digits is out of range
   */
  public static FilterSpec scaleOffsetDigits(int digits) {
    if (digits < 0 || digits > 300) {
      throw new IllegalArgumentException("scale-offset digits must be 0..300: digits=" + digits);
    }
    return FilterSpec.of(SCALE_OFFSET, FilterSpec.Flag.OPTIONAL, 0, digits);
  }

  /**
   * Compresses by szip, for numbers of up to 4 bytes or of 8 bytes. Local, thread-safe.
   *
   * @param pixelsPerBlock even, from 2 to 32, usually 16; at most the number of elements of a chunk
   * @throws IllegalArgumentException if the number of pixels is odd or out of range
   */
  public static FilterSpec szip(SzipCoding coding, int pixelsPerBlock) {
    return FilterSpec.of(SZIP, FilterSpec.Flag.OPTIONAL, coding.clientData(pixelsPerBlock));
  }

  /** Compresses by LZF, as h5py does. Local, thread-safe; does not fail. */
  public static FilterSpec lzf() {
    return named(LZF, "lzf");
  }

  /**
   * Compresses by Blosc. Local, thread-safe.
   *
   * @param level 0 (none) to 9 (smallest)
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec blosc(BloscCodec codec, int level, BloscShuffle shuffle) {
    if (level < 0 || level > 9) {
      throw new IllegalArgumentException("blosc level must be 0..9: level=" + level);
    }
    return named(BLOSC, "blosc", 2, 2, 0, 0, level, shuffle.ordinal(), codec.code());
  }

  /** Compresses by LZ4, a chunk as one block. Local, thread-safe; does not fail. */
  public static FilterSpec lz4() {
    return named(LZ4, "lz4");
  }

  /**
   * Compresses by LZ4 in blocks. Local, thread-safe.
   *
   * @param blockBytes bytes of a block, at least 1
   * @throws IllegalArgumentException if the block size is less than 1
   */
  public static FilterSpec lz4(int blockBytes) {
    if (blockBytes < 1) {
      throw new IllegalArgumentException("lz4 block: blockBytes=" + blockBytes);
    }
    return named(LZ4, "lz4", blockBytes);
  }

  /**
   * Transposes bits without compression, for use before a compressor. Local, thread-safe; does not
   * fail.
   */
  public static FilterSpec bitshuffle() {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 0);
  }

  /** Transposes bits and compresses by LZ4. Local, thread-safe; does not fail. */
  public static FilterSpec bitshuffleLz4() {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 2);
  }

  /**
   * Transposes bits and compresses by Zstandard. Local, thread-safe.
   *
   * @param level 1 to 22
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec bitshuffleZstd(int level) {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 3, zstdLevel(level));
  }

  /**
   * Compresses by Zstandard. Local, thread-safe.
   *
   * @param level 1 to 22; 3 is usual
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec zstd(int level) {
    return named(ZSTD, "zstd", zstdLevel(level));
  }

  /**
   * Compresses by bzip2. Local, thread-safe.
   *
   * @param level 1 to 9, block size in units of 100,000 bytes
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec bzip2(int level) {
    if (level < 1 || level > 9) {
      throw new IllegalArgumentException("bzip2 level must be 1..9: level=" + level);
    }
    return named(BZIP2, "bzip2", level);
  }

  private static int zstdLevel(int level) {
    if (level < 1 || level > 22) {
      throw new IllegalArgumentException("zstd level must be 1..22: level=" + level);
    }
    return level;
  }

  private static FilterSpec named(int id, String name, int... clientData) {
    return new FilterSpec(id, FilterSpec.Flag.OPTIONAL, Optional.of(name), clientData);
  }

  /** How szip prepares the values that its entropy coder gets. */
  public enum SzipCoding {
    /** The values as they are: for data without a trend, small numbers. */
    ENTROPY(4),
    /** Differences between neighbours: for smooth data. */
    NEAREST_NEIGHBOUR(32);

    /** Option: the parameter k of the Rice code may be up to 13. */
    private static final int K13 = 1;

    /** Option: no header of szip's own before the data. */
    private static final int RAW = 128;

    private static final int MAX_BLOCK = 32;

    private final int mask;

    SzipCoding(int mask) {
      this.mask = mask;
    }

    /** Its bit in the options mask. */
    public int mask() {
      return mask;
    }

    /** The client data of a filter that is not bound to a dataset yet. */
    int[] clientData(int pixelsPerBlock) {
      if (pixelsPerBlock < 2 || pixelsPerBlock > MAX_BLOCK || pixelsPerBlock % 2 != 0) {
        throw new IllegalArgumentException(
            "szip pixels per block must be even, 2..32: pixelsPerBlock=" + pixelsPerBlock);
      }
      return new int[] {mask | K13 | RAW, pixelsPerBlock};
    }
  }

  /** The compressors that a Blosc container may be written with, in the order of their codes. */
  public enum BloscCodec {
    LZ4(1),
    SNAPPY(3),
    ZLIB(4),
    ZSTD(5);

    private final int code;

    BloscCodec(int code) {
      this.code = code;
    }

    /** The number that client data 6 holds. */
    public int code() {
      return code;
    }
  }

  /** What Blosc does to the elements of a block before it compresses them; client data 5. */
  public enum BloscShuffle {
    NONE,
    BYTES,
    BITS
  }
}
