package io.skerry;

import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkIndex;

/**
 * What a dataset takes in the file.
 *
 * @param chunks stored chunks
 * @param dataBytes bytes of values, for a sparse dataset with the locations
 * @param indexBytes bytes of the chunk index
 */
public record StorageUsage(long chunks, long dataBytes, long indexBytes) {

  /** All bytes. */
  public long bytes() {
    return dataBytes + indexBytes;
  }

  static StorageUsage of(ChunkIndex index, ByteSource source) {
    long[] sums = new long[2];
    index.forEachRecord(
        source,
        (scaled, record) -> {
          sums[0]++;
          sums[1] += record.sections().size();
        });
    long indexBytes = index.blocks(source).stream().mapToLong(Block::length).sum();
    return new StorageUsage(sums[0], sums[1], indexBytes);
  }
}
