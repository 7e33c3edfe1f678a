package io.skerry.chunk.format;

/**
 * A chunk in memory: decoded, unfiltered, values in the file datatype. Immutable; a write or an
 * erasure makes a new version. What is inside is the business of the {@link ChunkFormat} that made
 * it.
 */
public interface MemoryChunk {
  /** Bytes that this version occupies, for cache accounting. */
  long bytes();

  /**
   * Bytes that this version occupies until it is stored, as far as they are known beforehand: those
   * of its image too, if the version is smaller.
   */
  default long unstoredBytes() {
    return bytes();
  }

  /** Number of defined elements (for a dense chunk: all). */
  long definedCount();
}
