package io.skerry.collective.plan;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.dataspace.grid.SliceConversion;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.datatype.conversion.ElementParts;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The part of one request that falls into one chunk.
 *
 * @param key the chunk
 * @param slice which elements, and where their values are in the caller's buffer
 * @param validElements elements of the chunk that lie inside the extent
 * @param elementSize bytes per value without its content
 * @param change what happens to the elements
 */
public record Piece(
    ChunkKey key,
    ChunkSlice slice,
    long validElements,
    int elementSize,
    WriteRequest.Change change) {

  /** Returns whether its elements get values in place of what they were. */
  public boolean replacesElements() {
    return switch (change) {
      case WriteRequest.Values(_, Conversion conversion) -> !conversion.keepsBackground();
      case WriteRequest.Gathered _ -> true;
      case WriteRequest.Erasure _, WriteRequest.Restoring _, WriteRequest.Removal _ -> false;
    };
  }

  /** The parts of elements that get values, if others stay. */
  public Optional<ElementParts> parts() {
    return change instanceof WriteRequest.Values(_, Conversion conversion)
            && conversion.keepsBackground()
        ? Optional.of(conversion.written())
        : Optional.empty();
  }

  /** Bytes of packed values, with their content. */
  public long valueBytes() {
    return switch (change) {
      case WriteRequest.Values _ -> slice.elements().count() * elementSize;
      case WriteRequest.Gathered(MemorySegment packed) -> packed.byteSize();
      case WriteRequest.Erasure _, WriteRequest.Restoring _, WriteRequest.Removal _ -> 0;
    };
  }

  /**
   * Packs the values in ascending element order, in the file datatype. Bytes that stay what they
   * are in the chunk are not touched.
   */
  public void pack(MemorySegment out) {
    switch (change) {
      case WriteRequest.Values(MemorySegment packed, Conversion conversion) ->
          new SliceConversion(conversion).gather(slice, packed, out);
      case WriteRequest.Gathered(MemorySegment packed) -> out.copyFrom(packed);
      case WriteRequest.Erasure _, WriteRequest.Restoring _, WriteRequest.Removal _ -> {}
    }
  }
}
