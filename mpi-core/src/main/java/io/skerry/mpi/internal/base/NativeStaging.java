package io.skerry.mpi.internal.base;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Native stand-ins for heap segments, for the time of one call. Native segments pass through as
 * they are, so that callers who keep to native memory pay nothing.
 */
public final class NativeStaging implements AutoCloseable {

  private record Pair(MemorySegment heap, MemorySegment stand) {}

  private Optional<Arena> arena = Optional.empty();
  private List<Pair> incoming = List.of();

  /** A native segment with the same bytes. */
  public MemorySegment outgoing(MemorySegment segment) {
    return segment.isNative() ? segment : allocate(segment).copyFrom(segment);
  }

  /** A native segment whose bytes {@link #deliver} brings to this one; they begin the same. */
  public MemorySegment incoming(MemorySegment segment) {
    if (segment.isNative()) {
      return segment;
    }
    var stand = outgoing(segment);
    if (incoming.isEmpty()) {
      incoming = new ArrayList<>();
    }
    incoming.add(new Pair(segment, stand));
    return stand;
  }

  /** Copies what has arrived to the heap. */
  public void deliver() {
    incoming.forEach(pair -> pair.heap().copyFrom(pair.stand()));
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
