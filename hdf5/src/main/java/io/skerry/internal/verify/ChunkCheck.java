package io.skerry.internal.verify;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Decodes a stored chunk, and follows its values into the global heap. */
final class ChunkCheck {
  private final ByteSource source;
  private final ValueWalk values;

  ChunkCheck(ByteSource source, ValueWalk values) {
    this.source = source;
    this.values = values;
  }

  /**
   * Verifies a chunk.
   *
   * @param scaled the coordinates of the chunk, in chunks
   * @throws FormatException if the chunk is damaged, or if a valid file cannot have a chunk at
   *     these coordinates
   * @throws io.skerry.exception.MemoryLimitException if the memory is insufficient for the chunk
   */
  void check(ChunkedDataset dataset, long[] scaled, ChunkRecord record) {
    ChunkCoordinates point = ChunkCoordinates.of(scaled);
    if (!dataset.isInside(point)) {
      checkReachable(dataset, scaled);
      return;
    }
    ChunkFormat format = dataset.format(point);
    requireMemory(format);
    MemorySegment bytes = source.read(record.address(), record.sections().size());
    MemoryChunk chunk = format.decode(new ChunkImage(bytes, record.sections().checked()));
    if (ValueWalk.leadElsewhere(format.datatype())) {
      follow(format, format.clip(chunk, dataset.grid().valid(scaled, dataset.shape())));
    }
  }

  private void follow(ChunkFormat format, MemoryChunk inside) {
    RunSet defined = format.defined(inside, RunSet.range(0, format.elements()));
    MemorySegment packed =
        format.readPacked(inside, defined, (size, _) -> HeapBytes.allocate(size));
    long count = defined.count();
    format
        .contentPacking()
        .ifPresentOrElse(
            packing ->
                values.follow(
                    format.datatype(), PackedContent.split(packed, packing.bytes(count)), count),
            () -> values.follow(format.datatype(), packed, count));
  }

  /**
   * Rejects a chunk of a dense dataset if two copies of its values exceed the limit on heap memory.
   * Called before any memory is allocated for the chunk.
   */
  private static void requireMemory(ChunkFormat format) {
    if (format.definedness() == ChunkFormat.Definedness.ALL) {
      long each = 2L * format.datatype().size();
      MemoryLimit.require(format.elements(), each, () -> "checking a chunk");
    }
  }

  /**
   * Rejects a chunk that cannot occur in a valid file. Chunks outside the extent are valid up to a
   * finite maximum extent, since HDF5 allocates them in advance; their content is undefined.
   */
  private static void checkReachable(ChunkedDataset dataset, long[] scaled) {
    Shape shape = dataset.shape();
    long[] chunk = dataset.grid().sizes();
    for (int d = 0; d < shape.rank(); d++) {
      boolean open = shape.maximum(d) == Shape.UNLIMITED;
      long end = open ? shape.extent(d) : shape.maximum(d);
      if (scaled[d] > (end - 1) / chunk[d] || end == 0) {
        throw new FormatException(
            "chunk outside the dataset", "inside " + shape, Arrays.toString(scaled));
      }
    }
  }
}
