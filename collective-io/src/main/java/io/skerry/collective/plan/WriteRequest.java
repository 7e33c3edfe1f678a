package io.skerry.collective.plan;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;

/**
 * What one rank wants changed in one dataset.
 *
 * @param dataset the dataset
 * @param selection the elements, within the extent
 * @param change what happens to them
 */
public record WriteRequest(ChunkedDataset dataset, Selection selection, Change change) {

  /** What happens to the selected elements. */
  public sealed interface Change {}

  /**
   * They take these values and are defined from now on.
   *
   * @param packed one value per element in selection order, in the memory type; with their content,
   *     if the format of the chunks packs it with them
   * @param conversion from the memory type to the file datatype; what it keeps of an element stays
   */
  public record Values(MemorySegment packed, Conversion conversion) implements Change {}

  /**
   * They take these values, which were gathered for one chunk.
   *
   * @param packed one value per element in ascending order, with their content
   */
  record Gathered(MemorySegment packed) implements Change {}

  /** They are no longer defined. */
  public record Erasure() implements Change {}

  /** They stay as they are, but their chunks are to be stored anew. */
  public record Restoring() implements Change {}

  /** Whatever is in their chunks is to be forgotten, unread. */
  public record Removal() implements Change {}

  /** Changes values, given in the file datatype. */
  public static WriteRequest values(
      ChunkedDataset dataset, Selection selection, MemorySegment packed) {
    return values(dataset, selection, packed, Conversion.none(dataset.format().datatype()));
  }

  /** Changes values, given in a memory type. */
  public static WriteRequest values(
      ChunkedDataset dataset, Selection selection, MemorySegment packed, Conversion conversion) {
    return new WriteRequest(dataset, selection, new Values(packed, conversion));
  }

  /** Erases. */
  public static WriteRequest erasure(ChunkedDataset dataset, Selection selection) {
    return new WriteRequest(dataset, selection, new Erasure());
  }
}
