package io.skerry;

import java.util.List;

/**
 * Describes the storage of a dataset in words, for display. Immutable.
 *
 * @param layout the layout: compact, contiguous (also for external files), chunked, sparse (for all
 *     structured chunks) or virtual
 * @param chunk the shape of a chunk in elements; empty if the dataset is not chunked
 * @param index the kind of chunk index; the empty string if the dataset is not chunked
 * @param filters the filters of each filtered section; empty if there are none
 */
public record StorageInfo(String layout, List<Long> chunk, String index, List<String> filters) {

  /**
   * The space that the elements of a dataset occupy, in the file or in external data files.
   * Immutable.
   *
   * @param chunks the number of stored chunks; 0 if the dataset is not chunked
   * @param dataBytes the number of stored bytes of the elements; for structured chunks, this
   *     includes the locations and the variable-length values in the chunks; 0 for a compact or
   *     virtual dataset
   * @param indexBytes the number of bytes of the chunk index
   */
  public record Usage(long chunks, long dataBytes, long indexBytes) {

    /**
     * Returns the total number of bytes. Local, thread-safe; does not fail.
     *
     * @return the number of bytes of data and index
     */
    public long bytes() {
      return dataBytes + indexBytes;
    }
  }
}
