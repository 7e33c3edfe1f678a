package io.skerry;

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
}
