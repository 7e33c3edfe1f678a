package io.skerry.collective.plan;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;

/**
 * A change to selected elements of one dataset, requested by one rank.
 *
 * @param dataset the dataset
 * @param selection the elements, within the extent
 * @param change the change to the elements
 * @param publication the action that runs on this rank before any new value of the write, from any
 *     rank, can be read; must not fail. If the write fails before this action runs, no element has
 *     its new value
 */
public record WriteRequest(
    ChunkedDataset dataset, Selection selection, Change change, Runnable publication) {
  private static final Runnable NOTHING = () -> {};

  /** Creates a request without a publication action. */
  public WriteRequest(ChunkedDataset dataset, Selection selection, Change change) {
    this(dataset, selection, change, NOTHING);
  }

  /** Returns this request with an action that runs before any new value can be read. */
  public WriteRequest publishing(Runnable action) {
    return new WriteRequest(dataset, selection, change, action);
  }

  /** A change to the selected elements. */
  public sealed interface Change {}

  /**
   * Sets the elements to values and makes them defined.
   *
   * @param packed one value per element in selection order, in the memory type. If the chunk format
   *     packs variable-length content with the values, the content is included
   * @param conversion the conversion from the memory type to the file datatype; parts of elements
   *     that it does not write keep their values
   */
  public record Values(MemorySegment packed, Conversion conversion) implements Change {}

  /**
   * Sets the elements to values that were gathered for one chunk, and makes them defined.
   *
   * @param packed one value per element in ascending order, with the variable-length content
   */
  record Gathered(MemorySegment packed) implements Change {}

  /** Makes the elements undefined. */
  public record Erasure() implements Change {}

  /** Keeps the elements, but makes their chunks dirty, so that the chunks are stored again. */
  public record Restoring() implements Change {}

  /** Removes the chunks that contain the elements, without reading these chunks. */
  public record Removal() implements Change {}

  /** Returns a request to write values that are already in the file datatype. */
  public static WriteRequest values(
      ChunkedDataset dataset, Selection selection, MemorySegment packed) {
    return values(dataset, selection, packed, Conversion.none(dataset.format().datatype()));
  }

  /** Returns a request to write values of a given memory type. */
  public static WriteRequest values(
      ChunkedDataset dataset, Selection selection, MemorySegment packed, Conversion conversion) {
    return new WriteRequest(dataset, selection, new Values(packed, conversion));
  }

  /** Returns a request to make elements undefined. */
  public static WriteRequest erasure(ChunkedDataset dataset, Selection selection) {
    return new WriteRequest(dataset, selection, new Erasure());
  }
}
