package io.skerry.format.dense;

import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;

/** Where attribute messages stand that several objects share: the heap of shared messages. */
@FunctionalInterface
public interface SharedAttributeHeap {
  /**
   * The body of a shared attribute message.
   *
   * @param heapId eight bytes, an id of the heap that the file keeps for shared attributes
   */
  MemorySegment attributeBody(MemorySegment heapId);

  /** For files without such a heap: refuses. */
  static SharedAttributeHeap none() {
    return heapId -> {
      throw new UnsupportedFeatureException(
          "attribute in the table of shared messages", "dense attributes");
    };
  }
}
