package io.skerry.collective.read;

import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import java.lang.foreign.MemorySegment;

/**
 * The actions of one rank in a collective read.
 *
 * @param memory the caller's memory that the actions access
 * @param action the action for each chunk
 * @param end the action that combines the results of the actions; if it fails, the read fails
 */
record ReadWork(MemorySegment memory, Action action, Runnable end) {
  static final ReadWork NONE = new ReadWork(MemorySegment.NULL, (_, _, _) -> {}, () -> {});

  /**
   * Processes the part of the selection in one chunk. Several threads may call the action at the
   * same time.
   */
  @FunctionalInterface
  interface Action {
    void apply(ChunkSlice slice, SliceSource source, Leases memory);
  }
}
