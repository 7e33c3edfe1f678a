package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import java.util.Collection;

/**
 * Refuses changes of chunks that the heap could not encode. A flush would fail for such a chunk
 * each time, and with it everything else that the session has written; so the write is refused,
 * while nothing has changed. What an image of a sparse chunk takes depends on the values, and is
 * not known before.
 */
final class EncodingLimit {
  private final FileContext session;

  EncodingLimit(FileContext session) {
    this.session = session;
  }

  /**
   * Refuses chunks that the next flush has to encode together on this rank. Local.
   *
   * @throws io.skerry.exception.MemoryLimitException if the heap cannot hold their images
   */
  void requireTogether(Collection<ChunkKey> keys) {
    long bytes = 0;
    for (ChunkKey key : keys) {
      // A chunk has at most 2^32 bytes, and there are at most 2^31 of them.
      bytes += leastBytes(key);
      long sum = bytes;
      MemoryLimit.require(
          sum, 1, () -> "encoding the chunks of one write, up to chunk " + name(key));
    }
  }

  /**
   * Refuses each chunk that cannot be encoded, even by itself. Local.
   *
   * @throws io.skerry.exception.MemoryLimitException if the heap cannot hold one of the images
   */
  void requireEach(Collection<ChunkKey> keys) {
    for (ChunkKey key : keys) {
      MemoryLimit.require(leastBytes(key), 1, () -> "encoding chunk " + name(key));
    }
  }

  /**
   * Refuses a version that has become too large to be encoded. Local.
   *
   * @throws io.skerry.exception.MemoryLimitException if the heap cannot hold it and its image
   */
  static void require(ChunkedDataset dataset, MemoryChunk version) {
    MemoryLimit.require(
        dataset.format().encodingBytes(version), 1, () -> "encoding a chunk of " + dataset.name());
  }

  /** Bytes that encoding a chunk takes, however little is written to it. */
  private long leastBytes(ChunkKey key) {
    ChunkFormat format = session.directory().dataset(key.dataset()).format();
    return format.encodingBytes(format.newChunk());
  }

  private String name(ChunkKey key) {
    return key.chunk() + " of " + session.directory().dataset(key.dataset()).name();
  }
}
