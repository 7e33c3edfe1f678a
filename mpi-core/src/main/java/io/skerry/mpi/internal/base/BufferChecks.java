package io.skerry.mpi.internal.base;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;

/**
 * Checks the buffers of the calls on a communicator. If a requirement is not met, a method throws
 * an {@link IllegalArgumentException} unless its documentation names a different exception. The
 * message names the call.
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

  /**
   * Requires that the calling thread can read a buffer.
   *
   * @throws IllegalStateException if the arena of the buffer is closed
   * @throws WrongThreadException if the buffer is confined to another thread
   */
  static void requireReadable(String operation, MemorySegment buffer) {
    if (!buffer.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          "%s with a buffer of another thread: bytes=%d thread=%s"
              .formatted(operation, buffer.byteSize(), Thread.currentThread().getName()));
    }
    if (!buffer.scope().isAlive()) {
      throw new IllegalStateException(
          "%s with a buffer of a closed arena: bytes=%d".formatted(operation, buffer.byteSize()));
    }
  }

  /**
   * Requires that the calling thread can write to a buffer.
   *
   * @throws IllegalStateException if the arena of the buffer is closed
   * @throws WrongThreadException if the buffer is confined to another thread
   */
  static void requireWritable(String operation, MemorySegment buffer) {
    requireReadable(operation, buffer);
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException(
          "%s into memory that is read-only: bytes=%d".formatted(operation, buffer.byteSize()));
    }
  }

  /**
   * Requires that the calling thread can read the send buffer and write to the receive buffer, and
   * that the buffers do not overlap.
   *
   * @throws IllegalStateException if the arena of a buffer is closed
   * @throws WrongThreadException if a buffer is confined to another thread
   */
  static void requirePair(String operation, MemorySegment send, MemorySegment receive) {
    requireReadable(operation, send);
    requireWritable(operation, receive);
    if (send.asOverlappingSlice(receive).isPresent()) {
      throw new IllegalArgumentException(
          "%s: the send and receive buffers overlap: send=%d receive=%d"
              .formatted(operation, send.byteSize(), receive.byteSize()));
    }
  }

  /**
   * Requires both buffers to have the same size, to hold a whole number of elements and to meet
   * {@link #requirePair}, and the reduction to be defined for elements of this kind.
   */
  static void requireElements(
      String operation, MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    requireEqual(operation, send, receive);
    requirePair(operation, send, receive);
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
