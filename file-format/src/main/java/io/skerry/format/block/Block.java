package io.skerry.format.block;

import io.skerry.exception.FormatException;

/**
 * A range of file space.
 *
 * @param address the address of the first byte, relative to the base address
 * @param length the number of bytes, at least 1
 */
public record Block(long address, long length) implements Comparable<Block> {
  public Block {
    if (address < 0 || length < 1 || address > Long.MAX_VALUE - length) {
      throw new FormatException(
          "block outside any file",
          "address >= 0, length >= 1, end < 2^63",
          "address=" + address + " length=" + length);
    }
  }

  /** Returns the address of the first byte after the block. */
  public long end() {
    return address + length;
  }

  /** Returns whether the two blocks share a byte. */
  public boolean overlaps(Block other) {
    return address < other.end() && other.address < end();
  }

  @Override
  public int compareTo(Block other) {
    int byAddress = Long.compare(address, other.address);
    return byAddress != 0 ? byAddress : Long.compare(length, other.length);
  }

  @Override
  public String toString() {
    return "0x" + Long.toHexString(address) + "+" + length;
  }
}
