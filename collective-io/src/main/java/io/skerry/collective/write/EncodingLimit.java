package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import java.util.Collection;

/**
 * Refuses changes to chunks whose encoding would exceed the {@linkplain MemoryLimit memory limit}.
 * Every flush would fail on such a chunk and could not store any other change, so the write is
 * refused before anything changes. The checks by key count a sparse chunk as 0 bytes, since the
 * memory needed to encode it depends on its defined elements.
 */
final class EncodingLimit {
  private final FileContext context;

  EncodingLimit(FileContext context) {
    this.context = context;
  }

  /**
   * Checks the chunks that this rank owns in one write, since the next flush may encode all of them
   * together. Local.
   *
   * @throws io.skerry.exception.MemoryLimitException if encoding them would exceed the memory limit
   */
  void requireTogether(Collection<ChunkKey> keys) {
    long bytes = 0;
    for (ChunkKey key : keys) {
      // The sum cannot overflow, since it is checked against the limit after each addition.
      bytes += leastBytes(key);
      long sum = bytes;
      MemoryLimit.require(
          sum, 1, () -> "encoding the chunks of one write, up to chunk " + name(key));
    }
  }

  /**
   * Checks chunks that are encoded one at a time. Local.
   *
   * @throws io.skerry.exception.MemoryLimitException if encoding one of them would exceed the
   *     memory limit
   */
  void requireEach(Collection<ChunkKey> keys) {
    for (ChunkKey key : keys) {
      MemoryLimit.require(leastBytes(key), 1, () -> "encoding chunk " + name(key));
    }
  }

  /**
   * Checks a new version of a chunk. Local.
   *
   * @throws io.skerry.exception.MemoryLimitException if encoding the version would exceed the
   *     memory limit
   */
  static void require(ChunkedDataset dataset, MemoryChunk version) {
    MemoryLimit.require(
        dataset.format().encodingBytes(version), 1, () -> "encoding a chunk of " + dataset.name());
  }

  /**
   * Returns the approximate number of bytes of memory needed to encode any version of a chunk; 0
   * for a sparse chunk.
   */
  private long leastBytes(ChunkKey key) {
    ChunkFormat format = context.directory().dataset(key.dataset()).format();
    return format.encodingBytes(format.newChunk());
  }

  private String name(ChunkKey key) {
    return key.chunk() + " of " + context.directory().dataset(key.dataset()).name();
  }
}
