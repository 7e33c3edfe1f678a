package io.skerry.collective.dataset;

import io.skerry.chunk.content.PackedContent;
import io.skerry.selection.Selection;
import java.util.function.Supplier;

/**
 * Reads elements of chunked datasets without other ranks, in any thread. In a file of a single rank
 * the reads return all written values. In a file of several ranks they return the state of the last
 * flush, with later writes in place.
 */
public interface ElementReads {
  /**
   * Reads the selected values in selection order; undefined elements are read as the fill value.
   * Local.
   *
   * @param target creates the memory to fill
   * @throws IllegalStateException if the file is closed
   */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target);

  /**
   * Reads the selected values with their content, from a dataset whose chunks store both together.
   * Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  PackedContent readContent(ChunkedDataset dataset, Selection selection);

  /**
   * Returns the defined elements among the selected ones. Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  Selection defined(ChunkedDataset dataset, Selection selection);
}
