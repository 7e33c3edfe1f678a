package io.skerry.collective.commit;

import java.lang.foreign.MemorySegment;

/**
 * A metadata block that one rank writes.
 *
 * @param address first byte, relative to the base address
 * @param bytes the whole block
 */
public record BlockWrite(long address, MemorySegment bytes) implements Comparable<BlockWrite> {
  @Override
  public int compareTo(BlockWrite other) {
    return Long.compare(address, other.address);
  }
}
