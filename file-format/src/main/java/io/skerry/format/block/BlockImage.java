package io.skerry.format.block;

import java.lang.foreign.MemorySegment;

/**
 * The new content of a block at a given address.
 *
 * @param address the address of the first byte, relative to the base address
 * @param kind the kind of the block
 * @param bytes the complete block, including its checksum if it has one
 */
public record BlockImage(long address, BlockKind kind, MemorySegment bytes) {
  /** Returns the file space that the block occupies. */
  public Block block() {
    return new Block(address, bytes.byteSize());
  }
}
