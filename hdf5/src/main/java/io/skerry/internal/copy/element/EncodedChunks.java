package io.skerry.internal.copy.element;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes elements as chunks of a copy. Local.
 *
 * @param redefined the conversion between dense and sparse storage; empty if there is none
 */
record EncodedChunks(ChunkedDataset copy, Optional<ConvertedSparsity> redefined) {
  /**
   * Returns the encoded images of the chunks that need storage; other chunks are omitted.
   *
   * @param wanted the elements to copy, in all chunks of this round
   * @param packed the values of these elements in selection order, already converted for the copy
   */
  Map<ChunkCoordinates, ChunkImage> images(Selection wanted, MemorySegment packed) {
    Map<ChunkCoordinates, ChunkImage> images = new HashMap<>();
    for (ChunkSlice slice : copy.grid().cut(wanted, copy.shape())) {
      ChunkCoordinates point = ChunkCoordinates.of(slice.scaled());
      ChunkFormat format = copy.format(point);
      MemorySegment values = values(format, slice, wanted.count(copy.shape()), packed);
      MemoryChunk chunk = format.write(format.newChunk(), slice.elements(), values);
      MemoryChunk converted =
          redefined.map(how -> how.convert(format, chunk, slice.elements(), values)).orElse(chunk);
      format.encode(converted).ifPresent(image -> images.put(point, image));
    }
    return images;
  }

  private static MemorySegment values(
      ChunkFormat format, ChunkSlice slice, long count, MemorySegment packed) {
    Optional<ContentPacking> packing = format.contentPacking();
    if (packing.isPresent()) {
      return packing.get().gather(slice, PackedContent.split(packed, packing.get().bytes(count)));
    }
    int size = format.datatype().size();
    MemorySegment values = HeapBytes.allocate(slice.elements().count() * size);
    slice.gather(packed, size, values);
    return values;
  }
}
