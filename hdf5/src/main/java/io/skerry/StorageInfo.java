package io.skerry;

import java.util.List;

/**
 * How a dataset is stored, for people.
 *
 * @param layout compact, contiguous, chunked, sparse or virtual
 * @param chunk shape of a chunk; empty if not chunked
 * @param index kind of chunk index; empty text if not chunked
 * @param filters the filters of each filtered section
 */
public record StorageInfo(String layout, List<Long> chunk, String index, List<String> filters) {

  /**
   * What a dataset takes in the file.
   *
   * @param chunks stored chunks
   * @param dataBytes bytes of values, for a sparse dataset with the locations
   * @param indexBytes bytes of the chunk index
   */
  public record Usage(long chunks, long dataBytes, long indexBytes) {

    /** All bytes. */
    public long bytes() {
      return dataBytes + indexBytes;
    }
  }
}
