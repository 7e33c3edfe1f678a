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

  /** Shuffles the bytes of elements; the element size is set when the dataset is created. */
  public static FilterSpec shuffle() {
    return FilterSpec.of(SHUFFLE, FilterFlag.OPTIONAL);
  }

  /**
   * Shuffles the bytes of elements of a given size.
   *
   * @param elementSize bytes, at least 1
   */
  public static FilterSpec shuffle(int elementSize) {
    if (elementSize < 1) {
      throw new IllegalArgumentException("shuffle element size: elementSize=" + elementSize);
    }
    return FilterSpec.of(SHUFFLE, FilterFlag.OPTIONAL, elementSize);
  }

  /**
   * Compresses by deflate, readable by zlib.
   *
   * @param level 0 (none) to 9 (smallest)
   */
  public static FilterSpec deflate(int level) {
    if (level < 0 || level > 9) {
      throw new IllegalArgumentException("deflate level must be 0..9: level=" + level);
    }
    return FilterSpec.of(DEFLATE, FilterFlag.OPTIONAL, level);
  }

  /** Appends a Fletcher-32 checksum. */
  public static FilterSpec fletcher32() {
    return FilterSpec.of(FLETCHER32, FilterFlag.MANDATORY);
  }

  /** Stores only the significant bits of numbers, for datatypes with a reduced precision. */
  public static FilterSpec nbit() {
    return FilterSpec.of(NBIT, FilterFlag.OPTIONAL);
  }

  /** Stores integers as differences from the least of the chunk, in as many bits as needed. */
  public static FilterSpec scaleOffset() {
    return FilterSpec.of(SCALE_OFFSET, FilterFlag.OPTIONAL, 2, 0);
  }

  /**
   * Stores integers as differences from the least of the chunk, in a fixed number of bits. Lossy:
   * greater differences are cut.
   *
   * @param bits 1 to those of an element
   */
  public static FilterSpec scaleOffsetBits(int bits) {
    if (bits < 1 || bits > 64) {
      throw new IllegalArgumentException("scale-offset bits must be 1..64: bits=" + bits);
    }
    return FilterSpec.of(SCALE_OFFSET, FilterFlag.OPTIONAL, 2, bits);
  }

  /**
   * Stores floating-point numbers with a number of decimal digits, as differences from the least of
   * the chunk. Lossy: further digits are cut.
   *
   * @param digits number of digits after the decimal point, 0 to 300
   */
  public static FilterSpec scaleOffsetDigits(int digits) {
    if (digits < 0 || digits > 300) {
      throw new IllegalArgumentException("scale-offset digits must be 0..300: digits=" + digits);
    }
    return FilterSpec.of(SCALE_OFFSET, FilterFlag.OPTIONAL, 0, digits);
  }

  /**
   * Compresses by szip, for numbers of up to 4 bytes or of 8 bytes.
   *
   * @param pixelsPerBlock even, from 2 to 32, usually 16; at most the number of elements of a chunk
   */
  public static FilterSpec szip(SzipCoding coding, int pixelsPerBlock) {
    return FilterSpec.of(SZIP, FilterFlag.OPTIONAL, coding.clientData(pixelsPerBlock));
  }

  /** Compresses by LZF, as h5py does. */
  public static FilterSpec lzf() {
    return named(LZF, "lzf");
  }

  /**
   * Compresses by Blosc.
   *
   * @param level 0 (none) to 9 (smallest)
   */
  public static FilterSpec blosc(BloscCodec codec, int level, BloscShuffle shuffle) {
    if (level < 0 || level > 9) {
      throw new IllegalArgumentException("blosc level must be 0..9: level=" + level);
    }
    return named(BLOSC, "blosc", 2, 2, 0, 0, level, shuffle.ordinal(), codec.code());
  }

  /** Compresses by LZ4, a chunk as one block. */
  public static FilterSpec lz4() {
    return named(LZ4, "lz4");
  }

  /**
   * Compresses by LZ4 in blocks.
   *
   * @param blockBytes bytes of a block, at least 1
   */
  public static FilterSpec lz4(int blockBytes) {
    if (blockBytes < 1) {
      throw new IllegalArgumentException("lz4 block: blockBytes=" + blockBytes);
    }
    return named(LZ4, "lz4", blockBytes);
  }

  /** Transposes bits without compression, for use before a compressor. */
  public static FilterSpec bitshuffle() {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 0);
  }

  /** Transposes bits and compresses by LZ4. */
  public static FilterSpec bitshuffleLz4() {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 2);
  }

  /**
   * Transposes bits and compresses by Zstandard.
   *
   * @param level 1 to 22
   */
  public static FilterSpec bitshuffleZstd(int level) {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 3, zstdLevel(level));
  }

  /**
   * Compresses by Zstandard.
   *
   * @param level 1 to 22; 3 is usual
   */
  public static FilterSpec zstd(int level) {
    return named(ZSTD, "zstd", zstdLevel(level));
  }

  /**
   * Compresses by bzip2.
   *
   * @param level 1 to 9, block size in units of 100,000 bytes
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
    return new FilterSpec(id, FilterFlag.OPTIONAL, Optional.of(name), clientData);
  }
}
