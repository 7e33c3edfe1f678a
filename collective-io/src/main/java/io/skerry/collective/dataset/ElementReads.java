package io.skerry.collective.dataset;

import io.skerry.chunk.content.PackedContent;
import io.skerry.selection.Selection;
import java.util.function.Supplier;

/**
 * Reads of the elements of chunked datasets that need no other rank, by any thread. A rank that is
 * alone with the file reads what was written; of several each reads what the last flush has stored,
 * and what is written in place.
 */
public interface ElementReads {
  /**
   * Reads the selected values in selection order, undefined ones as the fill value. Local.
   *
   * @param target makes the memory to fill
   * @throws IllegalStateException if the file is closed
   */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target);

  /**
   * Reads the selected values with their content, of a dataset whose chunks pack it with them.
   * Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  PackedContent readContent(ChunkedDataset dataset, Selection selection);

  /**
   * The defined ones among the selected elements. Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  Selection defined(ChunkedDataset dataset, Selection selection);
}
