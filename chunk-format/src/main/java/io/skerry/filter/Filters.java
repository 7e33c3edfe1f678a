package io.skerry.filter;

import java.util.Optional;

/**
 * Creates the specifications of filters for new datasets. Each method returns the specification of
 * one filter. All filters except fletcher32 are optional, like those that {@code H5Pset_deflate}
 * and similar functions of the HDF5 library add. A compressor that does not make a section of a
 * structured chunk smaller is skipped; a dense chunk is stored with its compressors even if they
 * enlarge it. Parameters that depend on the dataset (element size, chunk shape, fill value) are set
 * when the dataset is created. Methods throw {@link IllegalArgumentException} if a parameter is out
 * of range.
 */
public final class Filters {
  /** Number of the deflate filter. */
  public static final int DEFLATE = 1;

  /** Number of the shuffle filter. */
  public static final int SHUFFLE = 2;

  /** Number of the Fletcher-32 filter. */
  public static final int FLETCHER32 = 3;

  /** Number of the szip filter. */
  public static final int SZIP = 4;

  /** Number of the nbit filter. */
  public static final int NBIT = 5;

  /** Number of the scale-offset filter. */
  public static final int SCALE_OFFSET = 6;

  /** Number of the bzip2 filter. */
  public static final int BZIP2 = 307;

  /** Number of the LZF filter. */
  public static final int LZF = 32000;

  /** Number of the Blosc filter. */
  public static final int BLOSC = 32001;

  /** Number of the LZ4 filter. */
  public static final int LZ4 = 32004;

  /** Number of the bitshuffle filter. */
  public static final int BITSHUFFLE = 32008;

  /** Number of the Zstandard filter. */
  public static final int ZSTD = 32015;

  private Filters() {}

  /**
   * Specifies shuffle, which groups the bytes of elements by significance. The element size is set
   * when the dataset is created. Local, thread-safe; does not fail.
   */
  public static FilterSpec shuffle() {
    return FilterSpec.of(SHUFFLE, FilterSpec.Flag.OPTIONAL);
  }

  /**
   * Specifies shuffle for elements of the given size. Local, thread-safe.
   *
   * @param elementSize size of an element in bytes, at least 1
   * @throws IllegalArgumentException if the element size is less than 1
   */
  public static FilterSpec shuffle(int elementSize) {
    if (elementSize < 1) {
      throw new IllegalArgumentException("shuffle element size: elementSize=" + elementSize);
    }
    return FilterSpec.of(SHUFFLE, FilterSpec.Flag.OPTIONAL, elementSize);
  }

  /**
   * Specifies compression with deflate; zlib can read the result. Local, thread-safe.
   *
   * @param level compression level, 0 (none) to 9 (smallest)
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec deflate(int level) {
    if (level < 0 || level > 9) {
      throw new IllegalArgumentException("deflate level must be 0..9: level=" + level);
    }
    return FilterSpec.of(DEFLATE, FilterSpec.Flag.OPTIONAL, level);
  }

  /** Specifies an appended Fletcher-32 checksum. Local, thread-safe; does not fail. */
  public static FilterSpec fletcher32() {
    return FilterSpec.of(FLETCHER32, FilterSpec.Flag.MANDATORY);
  }

  /**
   * Specifies nbit, which stores only the significant bits of numbers, for datatypes with reduced
   * precision. Local, thread-safe; does not fail.
   */
  public static FilterSpec nbit() {
    return FilterSpec.of(NBIT, FilterSpec.Flag.OPTIONAL);
  }

  /**
   * Specifies scale-offset for integers: stores their differences from the smallest value in the
   * chunk, in as many bits as needed. Local, thread-safe; does not fail.
   */
  public static FilterSpec scaleOffset() {
    return FilterSpec.of(SCALE_OFFSET, FilterSpec.Flag.OPTIONAL, 2, 0);
  }

  /**
   * Specifies scale-offset for integers: stores their differences from the smallest value in the
   * chunk, in a fixed number of bits. Lossy: the high bits of larger differences are lost. If there
   * is a fill value, the difference with all bits set represents it. Local, thread-safe.
   *
   * @param bits number of bits per difference, from 1 to the number of bits in an element
   * @throws IllegalArgumentException if the number of bits is not 1 to 64
   */
  public static FilterSpec scaleOffsetBits(int bits) {
    if (bits < 1 || bits > 64) {
      throw new IllegalArgumentException("scale-offset bits must be 1..64: bits=" + bits);
    }
    return FilterSpec.of(SCALE_OFFSET, FilterSpec.Flag.OPTIONAL, 2, bits);
  }

  /**
   * Specifies scale-offset for floating-point numbers: stores their differences from the smallest
   * value in the chunk, rounded to the given number of decimal places. Lossy. Local, thread-safe.
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
   * Specifies compression with szip, for numbers of 1, 2, 4 or 8 bytes. Local, thread-safe.
   *
   * @param coding the preprocessing of the values
   * @param pixelsPerBlock number of elements coded as a block: even, 2 to 32, typically 16, and at
   *     most the number of elements in a chunk
   * @throws IllegalArgumentException if the number of pixels per block is odd or out of range
   */
  public static FilterSpec szip(SzipCoding coding, int pixelsPerBlock) {
    return FilterSpec.of(SZIP, FilterSpec.Flag.OPTIONAL, coding.clientData(pixelsPerBlock));
  }

  /** Specifies compression with LZF, as in h5py. Local, thread-safe; does not fail. */
  public static FilterSpec lzf() {
    return named(LZF, "lzf");
  }

  /**
   * Specifies compression with Blosc. Local, thread-safe.
   *
   * @param codec the compressor within the Blosc container
   * @param level the compression level, from 0 (no compression) to 9 (smallest output)
   * @param shuffle the shuffle that is applied before compression
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec blosc(BloscCodec codec, int level, BloscShuffle shuffle) {
    if (level < 0 || level > 9) {
      throw new IllegalArgumentException("blosc level must be 0..9: level=" + level);
    }
    return named(BLOSC, "blosc", 2, 2, 0, 0, level, shuffle.ordinal(), codec.code());
  }

  /**
   * Specifies compression with LZ4, with each chunk of up to 1 GiB as a single block. Local,
   * thread-safe; does not fail.
   */
  public static FilterSpec lz4() {
    return named(LZ4, "lz4");
  }

  /**
   * Specifies compression with LZ4, with each chunk divided into blocks of the given size. Local,
   * thread-safe.
   *
   * @param blockBytes size of a block in bytes, at least 1
   * @throws IllegalArgumentException if the block size is less than 1
   */
  public static FilterSpec lz4(int blockBytes) {
    if (blockBytes < 1) {
      throw new IllegalArgumentException("lz4 block: blockBytes=" + blockBytes);
    }
    return named(LZ4, "lz4", blockBytes);
  }

  /**
   * Specifies bitshuffle, a transposition of bits, without compression, for use before a
   * compressor. Local, thread-safe; does not fail.
   */
  public static FilterSpec bitshuffle() {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 0);
  }

  /** Specifies bitshuffle followed by LZ4 compression. Local, thread-safe; does not fail. */
  public static FilterSpec bitshuffleLz4() {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 2);
  }

  /**
   * Specifies bitshuffle followed by Zstandard compression. Local, thread-safe.
   *
   * @param level compression level, 1 to 22
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec bitshuffleZstd(int level) {
    return named(BITSHUFFLE, "bitshuffle", 0, 4, 0, 0, 3, zstdLevel(level));
  }

  /**
   * Specifies compression with Zstandard. Local, thread-safe.
   *
   * @param level compression level, 1 to 22; typically 3
   * @throws IllegalArgumentException if the level is out of range
   */
  public static FilterSpec zstd(int level) {
    return named(ZSTD, "zstd", zstdLevel(level));
  }

  /**
   * Specifies compression with bzip2. Local, thread-safe.
   *
   * @param level block size in units of 100,000 bytes, 1 to 9
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

  /** The preprocessing of values before the entropy coding of szip. */
  public enum SzipCoding {
    /** No preprocessing: suits small numbers and data without a trend. */
    ENTROPY(4),
    /** Differences between neighboring values: suits smooth data. */
    NEAREST_NEIGHBOR(32);

    /** Option: the parameter k of the Rice code may be as large as 13. */
    private static final int K13 = 1;

    /** Option: the data has no szip header. */
    private static final int RAW = 128;

    private static final int MAX_BLOCK = 32;

    private final int mask;

    SzipCoding(int mask) {
      this.mask = mask;
    }

    /** Returns the bit of this coding in the options mask. Local, thread-safe; does not fail. */
    public int mask() {
      return mask;
    }

    /** Returns the client data of a filter that has not yet been bound to a dataset. */
    int[] clientData(int pixelsPerBlock) {
      if (pixelsPerBlock < 2 || pixelsPerBlock > MAX_BLOCK || pixelsPerBlock % 2 != 0) {
        throw new IllegalArgumentException(
            "szip pixels per block must be even, 2..32: pixelsPerBlock=" + pixelsPerBlock);
      }
      return new int[] {mask | K13 | RAW, pixelsPerBlock};
    }
  }

  /** The compressors with which a Blosc container may be written, in the order of their codes. */
  public enum BloscCodec {
    LZ4(1),
    SNAPPY(3),
    ZLIB(4),
    ZSTD(5);

    private final int code;

    BloscCodec(int code) {
      this.code = code;
    }

    /**
     * Returns the code of the compressor, stored in client data value 6. Local, thread-safe; does
     * not fail.
     */
    public int code() {
      return code;
    }
  }

  /**
   * The shuffle that Blosc applies to the elements of a block before it compresses them. The
   * ordinal is stored in client data value 5.
   */
  public enum BloscShuffle {
    NONE,
    BYTES,
    BITS
  }
}
