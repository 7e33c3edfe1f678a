package io.skerry.mpi.internal.base;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;

/**
 * Checks the buffers of the collective calls on a communicator. If a requirement is not met, the
 * method throws an {@link IllegalArgumentException} that names the call.
 *
 * @param rank the rank of the calling process or thread
 * @param size the number of ranks
 */
record BufferChecks(int rank, int size) {

  /** Requires {@code all} to consist of one block per rank, each of the size of {@code one}. */
  void requireBlocks(String operation, MemorySegment one, MemorySegment all) {
    if (all.byteSize() / size != one.byteSize() || all.byteSize() % size != 0) {
      throw new IllegalArgumentException(
          "%s needs one block per rank: block=%d buffer=%d size=%d"
              .formatted(operation, one.byteSize(), all.byteSize(), size));
    }
  }

  /** Requires the buffer of this rank to have the size that the layout gives for this rank. */
  void requireOwn(String operation, MemorySegment own, BlockLayout layout) {
    if (own.byteSize() != layout.count(rank)) {
      throw new IllegalArgumentException(
          "%s: this rank's buffer and its count differ: buffer=%d count=%d rank=%d"
              .formatted(operation, own.byteSize(), layout.count(rank), rank));
    }
  }

  /** Requires that both buffers have the same size. */
  static void requireEqual(String operation, MemorySegment send, MemorySegment receive) {
    if (send.byteSize() != receive.byteSize()) {
      throw new IllegalArgumentException(
          "%s needs buffers of one size: send=%d receive=%d"
              .formatted(operation, send.byteSize(), receive.byteSize()));
    }
  }

  /** Requires that the buffers do not overlap. */
  static void requireApart(String operation, MemorySegment send, MemorySegment receive) {
    if (send.asOverlappingSlice(receive).isPresent()) {
      throw new IllegalArgumentException(
          "%s: the send and receive buffers overlap: send=%d receive=%d"
              .formatted(operation, send.byteSize(), receive.byteSize()));
    }
  }

  /**
   * Requires both buffers to have the same size, not to overlap and to hold a whole number of
   * elements, and the reduction to be defined for elements of this kind.
   */
  static void requireElements(
      String operation, MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    requireEqual(operation, send, receive);
    requireApart(operation, send, receive);
    if (send.byteSize() % kind.bytes() != 0) {
      throw new IllegalArgumentException(
          "%s needs whole elements: bytes=%d kind=%s".formatted(operation, send.byteSize(), kind));
    }
    if (!kind.allows(op)) {
      throw new IllegalArgumentException(
          "%s has no meaning for the elements: op=%s kind=%s".formatted(operation, op, kind));
    }
  }
}
