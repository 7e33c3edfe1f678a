package io.skerry.collective.plan;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.dataspace.grid.SliceConversion;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.datatype.conversion.ElementParts;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The part of a write request that affects one chunk.
 *
 * @param key the chunk
 * @param slice the elements, and the positions of their values in the caller's buffer
 * @param validElements the number of elements of the chunk that are inside the extent
 * @param elementSize the number of bytes of a value, excluding its variable-length content
 * @param change the change to the elements
 */
public record Piece(
    ChunkKey key,
    ChunkSlice slice,
    long validElements,
    int elementSize,
    WriteRequest.Change change) {

  /** Returns whether the piece completely replaces the values of its elements. */
  public boolean replacesElements() {
    return switch (change) {
      case WriteRequest.Values(_, Conversion conversion) -> !conversion.keepsBackground();
      case WriteRequest.Gathered _ -> true;
      case WriteRequest.Erasure _, WriteRequest.Restoring _, WriteRequest.Removal _ -> false;
    };
  }

  /**
   * Returns the parts of each element that receive new values; empty unless the elements are only
   * partly overwritten.
   */
  public Optional<ElementParts> parts() {
    return change instanceof WriteRequest.Values(_, Conversion conversion)
            && conversion.keepsBackground()
        ? Optional.of(conversion.written())
        : Optional.empty();
  }

  /** Returns the number of bytes of the packed values, including their variable-length content. */
  public long valueBytes() {
    return switch (change) {
      case WriteRequest.Values _ -> slice.elements().count() * elementSize;
      case WriteRequest.Gathered(MemorySegment packed) -> packed.byteSize();
      case WriteRequest.Erasure _, WriteRequest.Restoring _, WriteRequest.Removal _ -> 0;
    };
  }

  /**
   * Packs the values into {@code out}, in ascending element order and in the file datatype. If only
   * parts of the elements are overwritten, the bytes of the other parts are left unchanged in
   * {@code out}.
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
