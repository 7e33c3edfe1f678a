package io.skerry.mpi.internal.base;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Native copies of heap segments for the duration of one call or request. Native segments are used
 * directly, so callers that use native memory have no overhead.
 */
public final class NativeStaging implements AutoCloseable {

  private record Pair(MemorySegment heap, MemorySegment copy) {}

  private Optional<Arena> arena = Optional.empty();
  private List<Pair> incoming = List.of();

  /** Returns a native segment with the same bytes. */
  public MemorySegment outgoing(MemorySegment segment) {
    return segment.isNative() ? segment : allocate(segment).copyFrom(segment);
  }

  /**
   * Returns a native segment with the same bytes. If the given segment is on the heap, {@link
   * #deliver} copies the bytes back to it.
   */
  public MemorySegment incoming(MemorySegment segment) {
    if (segment.isNative()) {
      return segment;
    }
    var copy = outgoing(segment);
    if (incoming.isEmpty()) {
      incoming = new ArrayList<>();
    }
    incoming.add(new Pair(segment, copy));
    return copy;
  }

  /**
   * Copies the contents of the native segments from {@link #incoming} to the original heap
   * segments.
   */
  public void deliver() {
    incoming.forEach(pair -> pair.heap().copyFrom(pair.copy()));
  }

  private MemorySegment allocate(MemorySegment segment) {
    if (arena.isEmpty()) {
      arena = Optional.of(Arena.ofConfined());
    }
    return arena.get().allocate(segment.byteSize(), Long.BYTES);
  }

  @Override
  public void close() {
    arena.ifPresent(Arena::close);
  }
}
