package io.skerry.mpi.openmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Native stand-ins for heap segments, for the time of one call, as the direct buffers that the jar
 * takes. Native segments pass through as they are.
 */
final class NativeStand implements AutoCloseable {
  private static final long LONGEST = 1L << 30;

  private record Pair(MemorySegment heap, MemorySegment stand) {}

  private Optional<Arena> arena = Optional.empty();
  private final List<Pair> incoming = new ArrayList<>(1);

  /** A native segment with the same bytes. */
  MemorySegment outgoing(MemorySegment segment) {
    return segment.isNative() ? segment : allocate(segment).copyFrom(segment);
  }

  /** A native segment whose bytes {@link #deliver} brings to this one; they begin the same. */
  MemorySegment incoming(MemorySegment segment) {
    if (segment.isNative()) {
      return segment;
    }
    var stand = outgoing(segment);
    incoming.add(new Pair(segment, stand));
    return stand;
  }

  /**
   * The buffer that stands for a segment where the jar only asks for its address: of a long one,
   * since no buffer has 2 GiB, its beginning.
   */
  static ByteBuffer buffer(MemorySegment segment) {
    return segment.asSlice(0, Math.min(segment.byteSize(), LONGEST)).asByteBuffer();
  }

  /** Copies what has arrived to the heap. */
  void deliver() {
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
