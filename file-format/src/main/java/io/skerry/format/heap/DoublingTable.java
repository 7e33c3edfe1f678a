package io.skerry.format.heap;

import io.skerry.exception.FormatException;

/**
 * The doubling table of a fractal heap, which divides its address space into rows of {@code width}
 * blocks of equal size. The blocks of the first two rows have the starting size. From the third row
 * on, the blocks of each row are twice as large as those of the previous row. In this table, S is
 * the starting size and W the width:
 *
 * <pre>
 * row      0    1    2     3        r
 * size     S    S    2S    4S       S * 2^(r-1)
 * offset   0    WS   2WS   4WS      W * S * 2^(r-1)
 * </pre>
 *
 * <p>Blocks of up to {@code maxDirect} bytes are direct blocks, which contain objects. Larger ones
 * are indirect blocks, which divide their space in the same way. Source: HDF5 File Format
 * Specification 3.0, section III.G, "Fractal Heap".
 *
 * @param width the number of blocks in a row, a power of two
 * @param startSize the size in bytes of a block of the first row, a power of two
 * @param maxDirect the size in bytes of the largest direct block, a power of two
 * @param maxBits the number of bits of a heap offset, at most 64
 */
public record DoublingTable(int width, long startSize, long maxDirect, int maxBits) {
  /** Maximum number of address bits that the rows cover, so that their offsets fit into a long. */
  private static final int MOST_BITS = 62;

  /**
   * Checks the sizes.
   *
   * @throws FormatException if a size is not a power of two or is out of range, or if the sizes
   *     contradict each other
   */
  public DoublingTable {
    powerOfTwo("fractal heap table width", width);
    powerOfTwo("fractal heap starting block size", startSize);
    powerOfTwo("fractal heap largest direct block", maxDirect);
    if (maxDirect < startSize || maxDirect > 1L << 31) {
      throw new FormatException(
          "fractal heap largest direct block",
          "starting size " + startSize + " to 2^31",
          maxDirect);
    }
    // The smallest indirect blocks cover 2 * maxDirect bytes, which must hold a whole row.
    long halfRow = startSize * width / 2;
    if (maxDirect < halfRow) {
      throw new FormatException(
          "fractal heap largest direct block", "at least half a row, " + halfRow, maxDirect);
    }
    int needed = log2(startSize) + log2(width);
    if (maxBits > 64 || maxBits < needed || maxBits < log2(maxDirect)) {
      throw new FormatException(
          "bits of fractal heap addresses", Math.max(needed, log2(maxDirect)) + " to 64", maxBits);
    }
  }

  private static void powerOfTwo(String what, long value) {
    if (value < 1 || Long.bitCount(value) != 1) {
      throw new FormatException(what, "a power of two", value);
    }
  }

  private static int log2(long value) {
    return 63 - Long.numberOfLeadingZeros(value);
  }

  private int firstRowBits() {
    return log2(startSize) + log2(width);
  }

  /** Returns the size in bytes of a heap offset. */
  int offsetBytes() {
    return (maxBits + 7) / 8;
  }

  /** Returns the number of rows of direct blocks. */
  int directRows() {
    return log2(maxDirect) - log2(startSize) + 2;
  }

  /** Returns the maximum number of rows of the root block. */
  int maxRows() {
    return Math.min(maxBits, MOST_BITS) - firstRowBits() + 1;
  }

  /** Returns the size in bytes of each block in a row. */
  long blockSize(int row) {
    return row == 0 ? startSize : startSize << (row - 1);
  }

  /** Returns the offset of the first block of a row, relative to its indirect block. */
  long rowOffset(int row) {
    return row == 0 ? 0 : startSize * width << (row - 1);
  }

  /** Returns the offset of the block with the given index, relative to its indirect block. */
  long blockOffset(int entry) {
    int row = entry / width;
    return rowOffset(row) + entry % width * blockSize(row);
  }

  /**
   * Returns the row that contains an offset relative to an indirect block. The offset must not be
   * negative.
   */
  int rowOf(long offset) {
    long first = startSize * width;
    return offset < first ? 0 : log2(offset) - firstRowBits() + 1;
  }

  /**
   * Returns the index, in an indirect block, of the block at an offset relative to that indirect
   * block.
   */
  long entryOf(long offset) {
    int row = rowOf(offset);
    return (long) row * width + (offset - rowOffset(row)) / blockSize(row);
  }

  /**
   * Returns the number of rows of each indirect block in the given row, which must come after the
   * rows of direct blocks.
   */
  int rowsWithin(int row) {
    return log2(blockSize(row)) - firstRowBits() + 1;
  }

  /**
   * Returns the number of bytes of heap address space that an indirect block with the given number
   * of rows covers.
   */
  long span(int rows) {
    return rowOffset(rows);
  }
}
