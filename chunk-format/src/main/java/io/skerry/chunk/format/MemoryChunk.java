package io.skerry.chunk.format;

/**
 * A chunk in memory: decoded, unfiltered, with values in the file datatype. Immutable; a write or
 * an erasure creates a new version. Only the {@link ChunkFormat} that created a version interprets
 * its content.
 */
public interface MemoryChunk {
  /** Returns the memory that this version uses, in bytes, for cache accounting. */
  long bytes();

  /**
   * Returns the memory that this version needs until it is stored, in bytes: at least {@link
   * #bytes()}, and more if storing the version is known to require more.
   */
  default long unstoredBytes() {
    return bytes();
  }

  /** Returns the number of defined elements; for a dense chunk, the number of all elements. */
  long definedCount();
}
