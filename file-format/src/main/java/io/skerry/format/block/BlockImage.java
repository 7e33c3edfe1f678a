package io.skerry.format.block;

import java.lang.foreign.MemorySegment;

/**
 * A metadata block as it has to stand in the file.
 *
 * @param address first byte, relative to the base address
 * @param kind what it is
 * @param bytes the whole block, checksum included
 */
public record BlockImage(long address, BlockKind kind, MemorySegment bytes) {
  /** The space it takes. */
  public Block block() {
    return new Block(address, bytes.byteSize());
  }
}
