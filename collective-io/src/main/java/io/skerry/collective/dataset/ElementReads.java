package io.skerry.collective.dataset;

import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads elements of chunked datasets without involving other ranks. Any thread may call the
 * methods. In a file that a single rank has open, reads return all written values. In a file that
 * several ranks have open, they return the values as of the last flush, except for elements that
 * were overwritten in place since then.
 */
public interface ElementReads {
  /**
   * Reads the selected values in selection order; undefined elements are read as the fill value.
   * Local.
   *
   * @param target a supplier of the memory to fill
   * @throws IllegalStateException if the file is closed
   */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target);

  /**
   * Reads like {@link #read}, for a caller that expects no further reads of the same chunks. If a
   * chunk needs no decoding and is not in memory, this method may read only the selected elements
   * and short gaps between them; it then does not keep the chunk in memory. Local.
   *
   * @param target a supplier of the memory to fill
   * @throws IllegalStateException if the file is closed
   */
  default void readOnce(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    read(dataset, selection, target);
  }

  /**
   * Reads the selected elements with their variable-length content, from a dataset whose chunks
   * store both together. Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  PackedContent readContent(ChunkedDataset dataset, Selection selection);

  /**
   * Returns the defined elements of the selection. Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  Selection defined(ChunkedDataset dataset, Selection selection);

  /**
   * Cuts a selection into slices of the chunks that may have defined elements; the number of slices
   * is small or is bounded by the number of existing chunks. Local.
   *
   * @throws IllegalStateException if the file is closed
   */
  List<ChunkSlice> definedSlices(ChunkedDataset dataset, Selection selection);
}
