package io.skerry.iod.object;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Memory for a value, with room for the trailer of its stored form, so that a large value is stored
 * without a copy. Not thread-safe.
 */
public final class ValueBuffer {
  private final MemorySegment memory;

  private ValueBuffer(MemorySegment memory) {
    this.memory = memory;
  }

  /**
   * Allocates the memory of a value. Local.
   *
   * @param size the size of the value in bytes, 0 to 2^30-12
   * @throws IllegalArgumentException if the size is out of range
   */
  public static ValueBuffer allocate(long size, SegmentAllocator memory) {
    StoredForm.requireSize(size);
    return new ValueBuffer(memory.allocate(size + StoredForm.TRAILER));
  }

  /** Returns the bytes of the value, which the caller fills. Local; does not fail. */
  public MemorySegment bytes() {
    return memory.asSlice(0, memory.byteSize() - StoredForm.TRAILER);
  }

  /** Returns the value with its trailer. */
  MemorySegment stored() {
    return memory;
  }
}
