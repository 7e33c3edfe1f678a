package io.skerry.format.dense;

import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;

/** Reads shared attribute messages from the shared message heap of a file. */
@FunctionalInterface
public interface SharedAttributeHeap {
  /**
   * Returns the body of a shared attribute message.
   *
   * @param heapId the eight-byte ID of the message in the shared message heap for attributes
   */
  MemorySegment attributeBody(MemorySegment heapId);

  /** Returns an implementation that rejects every ID, for files without a shared message heap. */
  static SharedAttributeHeap none() {
    return heapId -> {
      throw new UnsupportedFeatureException(
          "attribute in the table of shared messages", "dense attributes");
    };
  }
}
