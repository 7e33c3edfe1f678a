package io.skerry.format.heap;

import io.skerry.exception.FormatException;

/**
 * How the address space of a fractal heap is cut into blocks: rows of {@code width} blocks of equal
 * size; the first two rows have the starting size S, each further one twice that of the row before.
 *
 * <pre>
 * row      0    1    2     3        r
 * size     S    S    2S    4S       S * 2^(r-1)
 * begins   0    WS   2WS   4WS      W * S * 2^(r-1)
 * </pre>
 *
 * <p>Blocks up to {@code maxDirect} bytes hold objects, larger ones are indirect blocks that cut
 * their space in the same way. Source: format specification, "Fractal Heap".
 *
 * @param width blocks in a row, a power of two
 * @param startSize bytes of a block of the first row, a power of two
 * @param maxDirect bytes of the largest block that holds objects, a power of two
 * @param maxBits bits of an address in the heap, at most 64
 */
public record DoublingTable(int width, long startSize, long maxDirect, int maxBits) {
  /** Rows beyond this address space are refused: no file is as large. */
  private static final int MOST_BITS = 62;

  /**
   * @throws FormatException if the sizes are not powers of two that fit into each other
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

  /** Bytes of an address in the heap. */
  int offsetBytes() {
    return (maxBits + 7) / 8;
  }

  /** Rows of blocks that hold objects. */
  int directRows() {
    return log2(maxDirect) - log2(startSize) + 2;
  }

  /** Most rows of the root block. */
  int maxRows() {
    return Math.min(maxBits, MOST_BITS) - firstRowBits() + 1;
  }

  /** Bytes of a block of a row. */
  long blockSize(int row) {
    return row == 0 ? startSize : startSize << (row - 1);
  }

  /** Address where a row begins, relative to the indirect block that has it. */
  long rowOffset(int row) {
    return row == 0 ? 0 : startSize * width << (row - 1);
  }

  /** Address where a block begins, relative to the indirect block that has it. */
  long blockOffset(int entry) {
    int row = entry / width;
    return rowOffset(row) + entry % width * blockSize(row);
  }

  /** The row of an address relative to an indirect block; the address is not negative. */
  int rowOf(long offset) {
    long first = startSize * width;
    return offset < first ? 0 : log2(offset) - firstRowBits() + 1;
  }

  /** The block of an address relative to an indirect block, counted from its first. */
  long entryOf(long offset) {
    int row = rowOf(offset);
    return (long) row * width + (offset - rowOffset(row)) / blockSize(row);
  }

  /** Rows of an indirect block that covers the space of one block of a row beyond the direct. */
  int rowsWithin(int row) {
    return log2(blockSize(row)) - firstRowBits() + 1;
  }

  /** Bytes of all blocks of an indirect block of so many rows. */
  long span(int rows) {
    return rowOffset(rows);
  }
}
