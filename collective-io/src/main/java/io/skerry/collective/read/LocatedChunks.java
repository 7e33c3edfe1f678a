package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.ChunkLocator;
import io.skerry.format.index.api.ChunkRecord;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The chunks that one rank reads in a collective read, with the slice to read from each.
 *
 * @param slices the slices by chunk
 * @param located the locations of the chunks
 */
record LocatedChunks(Map<ChunkKey, ChunkSlice> slices, ChunkLocator.Located located) {
  Collection<ChunkKey> keys() {
    return slices.keySet();
  }

  ChunkSlice slice(ChunkKey key) {
    return Objects.requireNonNull(slices.get(key));
  }

  /** Returns the record of a chunk that is stored but not in memory; empty for any other chunk. */
  Optional<ChunkRecord> record(ChunkKey key) {
    return Optional.ofNullable(located.records().get(key));
  }

  /**
   * Returns the source from which the elements of a chunk are taken.
   *
   * @param fetched the chunk images that have been read in this round
   */
  SliceSource source(ChunkKey key, Map<ChunkRecord, ChunkImage> fetched) {
    MemoryChunk resident = located.residents().get(key);
    if (resident != null) {
      return new SliceSource.Resident(resident);
    }
    ChunkRecord record = located.records().get(key);
    if (record == null) {
      return new SliceSource.Absent();
    }
    ChunkImage image = fetched.get(record);
    return image == null
        ? new SliceSource.InFile(key, record)
        : new SliceSource.Fetched(key, image);
  }
}
