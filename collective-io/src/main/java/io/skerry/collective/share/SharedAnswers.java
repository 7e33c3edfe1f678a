package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.selection.Selection;

/**
 * A source whose elements this rank needs in a form of varying length, such as values with their
 * variable-length content. All methods are local.
 */
public interface SharedAnswers extends SharedSource {
  /**
   * Reads elements.
   *
   * @param selection the elements, within the extent, each of them once
   * @return the encoder of the elements; not used after another read, of this or of another source
   */
  Answers read(Selection selection);

  /** Encodes elements that were read. */
  @FunctionalInterface
  interface Answers {
    /**
     * Appends elements of one chunk.
     *
     * @param scaled the coordinates of the chunk
     * @param elements the elements, all of which were read
     */
    void encode(long[] scaled, RunSet elements, ByteWriter out);
  }

  /**
   * Receives the elements of a slice.
   *
   * @param slice the index of the slice
   * @param answer the encoded elements; valid only during the call
   */
  void take(int slice, ByteReader answer);
}
