package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.WorkerPool;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.write.WholeChunkWriter.Target;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** Encodes whole chunks from the values in the caller's memory. */
final class WholeChunkEncoder {
  private final FileContext context;

  WholeChunkEncoder(FileContext context) {
    this.context = context;
  }

  /** Returns the format in which the chunk of a target is stored. */
  ChunkFormat format(Target target) {
    ChunkKey key = target.piece().key();
    return context.directory().dataset(key.dataset()).format(key.chunk());
  }

  /** Returns true if the size of the image does not depend on the values. */
  boolean hasKnownSize(Target target) {
    return format(target).encodedSize() instanceof EncodedSize.Exactly;
  }

  /** Starts encoding targets on the workers. */
  WorkerPool.Begun<ChunkImage> begin(List<Target> targets) {
    List<Callable<ChunkImage>> tasks = new ArrayList<>();
    targets.forEach(target -> tasks.add(() -> encode(target, HeapBytes::allocate)));
    return context.workers().begin(memory(targets), tasks);
  }

  /** Returns the caller's memory segments from which the targets are encoded. */
  static List<MemorySegment> memory(List<Target> targets) {
    Set<MemorySegment> found = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Target target : targets) {
      if (target.piece().change() instanceof WriteRequest.Values(MemorySegment packed, _)) {
        found.add(packed);
      }
    }
    return List.copyOf(found);
  }

  /** Allocates memory, which need not be zeroed. */
  @FunctionalInterface
  interface Allocation {
    MemorySegment take(long bytes);
  }

  /** Encodes a target; the image may be a slice of the caller's memory. */
  ChunkImage encode(Target target, Allocation memory) {
    Piece piece = target.piece();
    ChunkFormat format = format(target);
    return format
        .encodeWritten(piece.slice().elements(), values(piece, format, memory))
        .orElseThrow(() -> new IllegalStateException("a chunk of values without an image"));
  }

  /**
   * Returns a slice of the caller's memory if its values can be written unchanged; otherwise a
   * copy.
   */
  private static MemorySegment values(Piece piece, ChunkFormat format, Allocation memory) {
    Optional<MemorySegment> own =
        format.storedAt(0).isPresent() ? callersOwn(piece) : Optional.empty();
    if (own.isPresent()) {
      return own.get();
    }
    MemorySegment values = memory.take(piece.valueBytes());
    piece.pack(values);
    return values;
  }

  /**
   * Returns the slice of the caller's memory that already is the image of the chunk; empty if there
   * is none.
   */
  Optional<MemorySegment> callersImage(Target target) {
    boolean plain = hasKnownSize(target) && format(target).storedAt(0).isPresent();
    return plain ? callersOwn(target.piece()) : Optional.empty();
  }

  private static Optional<MemorySegment> callersOwn(Piece piece) {
    ChunkSlice slice = piece.slice();
    if (piece.change() instanceof WriteRequest.Values(var packed, var conversion)
        && conversion.isIdentity()
        && packed.isNative()
        && slice.contiguousPlace().isPresent()) {
      long at = slice.contiguousPlace().getAsLong() * piece.elementSize();
      return Optional.of(packed.asSlice(at, piece.valueBytes()));
    }
    return Optional.empty();
  }
}
