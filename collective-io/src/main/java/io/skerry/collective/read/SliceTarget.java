package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.dataspace.grid.SliceConversion;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * Copies the values of slices into the caller's memory. Local, thread-safe.
 *
 * @param dataset the dataset that is read
 * @param target the memory for all values of the selection
 */
record SliceTarget(ChunkedDataset dataset, TypedMemory target) {

  /** Copies the values of a slice from a chunk in memory. */
  void take(ChunkSlice slice, MemoryChunk chunk, Leases memory) {
    int size = dataset.format().datatype().size();
    OptionalLong place = slice.contiguousPlace();
    if (place.isPresent() && target.conversion().isIdentity()) {
      RunSet elements = slice.elements();
      long bytes = elements.count() * size;
      MemorySegment out = target.values().asSlice(place.getAsLong() * size, bytes);
      dataset.format().read(chunk, elements, out);
      return;
    }
    MemorySegment values = memory.take(slice.elements().count() * size);
    dataset.format().read(chunk, slice.elements(), values);
    new SliceConversion(target.conversion()).scatter(slice, values, target.values());
  }

  /**
   * Copies the values of a slice from a stored image.
   *
   * @param format the format in which the chunk is stored
   */
  void takeStored(
      ChunkSlice slice, ChunkKey key, ChunkFormat format, ChunkImage image, Leases memory) {
    try {
      MemorySegment values =
          format.readStored(image, slice.elements(), (bytes, _) -> memory.take(bytes));
      new SliceConversion(target.conversion()).scatter(slice, values, target.values());
    } catch (FormatException e) {
      throw e.inObject(dataset.name() + " chunk " + key.chunk());
    }
  }
}
