package io.skerry.chunk.filter.szip;

import io.skerry.datatype.BitField;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.exception.FormatException;
import io.skerry.filter.FilterTarget;
import java.util.Optional;

/**
 * The client data of the szip filter:
 *
 * <pre>
 * 0  sum of options: 1 = k may be as large as 13, 4 = entropy coding, 8 = little-endian,
 *    16 = big-endian, 32 = nearest neighbor, 128 = no szip header
 * 1  pixels per block, even, 2 to 32
 * 2  bits per pixel: 1 to 24, 32 or 64
 * 3  pixels per scan line, 1 to 4096
 * </pre>
 *
 * Pixels of 32 and 64 bits are coded as bytes: the first bytes of all pixels in the chunk, then
 * their second bytes, and so on. A scan line is the sequence of pixels from one reference sample to
 * the next; it is coded in whole blocks, the last of which is padded. A scan line of a new dataset
 * has at most 128 blocks. In an existing dataset, a line may have more blocks if a block has fewer
 * than 32 pixels; libaec accepts such lines, too.
 *
 * @param mask the sum of the options
 * @param block number of pixels in a block
 * @param bits number of bits in a pixel
 * @param line number of pixels in a scan line
 */
record SzipParameters(int mask, int block, int bits, int line) {
  static final int COUNT = 4;
  private static final int LITTLE = 8;
  private static final int BIG = 16;
  private static final int NEIGHBOR = 32;
  private static final int MAX_BLOCK = 32;
  private static final int MAX_BLOCKS = 128;

  /**
   * Decodes the client data of a dataset in a file.
   *
   * @throws FormatException if there are not exactly four values, or if a value is out of range
   */
  static SzipParameters of(int[] data) {
    if (data.length != COUNT) {
      throw fault("client data", COUNT, data.length);
    }
    SzipParameters p = new SzipParameters(data[0], data[1], data[2], data[3]);
    if (p.block < 2 || p.block > MAX_BLOCK || p.block % 2 != 0) {
      throw fault("pixels per block", "2, 4, .. 32", p.block);
    }
    if (p.bits < 1 || p.bits > 24 && p.bits != 32 && p.bits != 64) {
      throw fault("bits per pixel", "1..24, 32 or 64", p.bits);
    }
    if (p.line < 1 || p.line > MAX_BLOCK * MAX_BLOCKS) {
      throw fault("pixels per scan line", "1.." + MAX_BLOCK * MAX_BLOCKS, p.line);
    }
    return p;
  }

  /**
   * Returns the client data for a new dataset.
   *
   * @param mask sum of the options that the user chose
   * @param block pixels per block that the user chose
   * @param chunk the chunks of the dataset
   * @return the client data; empty if the filter cannot be applied to the chunks
   */
  static Optional<int[]> bind(int mask, int block, FilterTarget.Chunk chunk) {
    long[] shape = chunk.shape();
    long elements = chunk.elements();
    Optional<Pixel> pixel = pixel(chunk.type());
    if (pixel.isEmpty() || block < 1 || elements < block) {
      return Optional.empty();
    }
    long row = shape[shape.length - 1];
    long line = Math.min((long) block * MAX_BLOCKS, row < block ? elements : row);
    int order = pixel.get().order == Endian.BIG ? BIG : LITTLE;
    int options = mask & ~(LITTLE | BIG) | order;
    return Optional.of(new int[] {options, block, pixel.get().bits, (int) line});
  }

  /**
   * Returns the client data for a section of the structured chunks of a new dataset. Its length is
   * not known in advance and may not be a multiple of the size of its elements, so each byte is a
   * pixel.
   *
   * @param mask sum of the options that the user chose
   * @param block pixels per block that the user chose
   */
  static int[] bindBytes(int mask, int block) {
    int options = mask & ~(LITTLE | BIG) | LITTLE;
    return new int[] {options, block, Byte.SIZE, block * MAX_BLOCKS};
  }

  private record Pixel(Endian order, int bits) {}

  private static Optional<Pixel> pixel(Datatype type) {
    return switch (type) {
      case FixedPoint t -> pixel(t.order(), t.size(), t.offset(), t.precision());
      case FloatingPoint t -> pixel(t.order(), t.size(), t.offset(), t.precision());
      case BitField t -> pixel(t.order(), t.size(), t.offset(), t.precision());
      case Enumeration t -> pixel(t.base());
      default -> Optional.empty();
    };
  }

  private static Optional<Pixel> pixel(Endian order, int size, int offset, int precision) {
    // Coded samples have 1, 2 or 4 bytes, so elements of other sizes may not consist of
    // whole samples.
    if (order == Endian.VAX || size > 8 || Integer.bitCount(size) != 1) {
      return Optional.empty();
    }
    int bits = offset != 0 ? 8 * size : precision;
    return Optional.of(new Pixel(order, bits <= 24 ? bits : bits <= 32 ? 32 : 64));
  }

  /**
   * Returns whether differences between neighboring pixels are coded instead of the pixels
   * themselves.
   */
  boolean isDifferential() {
    return (mask & NEIGHBOR) != 0;
  }

  /** Returns whether the bytes of a pixel are coded as separate samples. */
  boolean isByPlanes() {
    return bits > 24;
  }

  /**
   * Returns the number of samples that code a pixel: one per byte if {@link #isByPlanes}, otherwise
   * 1.
   */
  int planes() {
    return isByPlanes() ? bits / 8 : 1;
  }

  /** Returns the size of a coded sample in bits. */
  int sampleBits() {
    return isByPlanes() ? 8 : bits;
  }

  /** Returns the size in bytes of a coded sample in the decoded data. */
  int sampleBytes() {
    int sample = sampleBits();
    return sample > 16 ? 4 : sample > 8 ? 2 : 1;
  }

  /** Returns whether pixels are big-endian. */
  boolean isBigEndian() {
    return (mask & BIG) != 0;
  }

  /** Returns the number of blocks in a scan line. */
  int blocks() {
    return (line + block - 1) / block;
  }

  /**
   * Returns an upper bound on the size of an encoded scan line in bytes: uncompressed blocks with
   * their identifiers. A block of zeros with a reference sample takes up to three more bits.
   */
  int maxLineBytes() {
    int bits = RiceCode.idBits(sampleBits()) + block * sampleBits();
    return (blocks() * bits + 3 + 7) / 8;
  }

  private static FormatException fault(String what, Object expected, Object actual) {
    return new FormatException("szip: " + what, expected, actual);
  }
}
