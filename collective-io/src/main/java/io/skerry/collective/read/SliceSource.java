package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.format.index.api.ChunkRecord;

/** The source from which a collective read takes the elements of a slice. */
sealed interface SliceSource {

  /** A source that a worker can use without reading from the file. */
  sealed interface Available extends SliceSource {}

  /** A chunk that is in memory. */
  record Resident(MemoryChunk chunk) implements Available {}

  /** A chunk whose stored image has been read. */
  record Fetched(ChunkKey key, ChunkImage image) implements Available {}

  /** A chunk that does not exist. */
  record Absent() implements Available {}

  /** A stored chunk whose image the worker itself must read. */
  record InFile(ChunkKey key, ChunkRecord record) implements SliceSource {}
}
