package io.skerry.format.btree;

/** Record types of a version 2 B-tree, in the order of their on-disk numbers. */
public enum RecordType {
  /** Used only by the tests of the HDF5 library. */
  TESTING,
  /** Unfiltered huge objects of a fractal heap, indexed by object ID. */
  HUGE_BY_ID,
  /** Filtered huge objects of a fractal heap, indexed by object ID. */
  HUGE_BY_ID_FILTERED,
  /** Unfiltered huge objects of a fractal heap, indexed by address. */
  HUGE_BY_ADDRESS,
  /** Filtered huge objects of a fractal heap, indexed by address. */
  HUGE_BY_ADDRESS_FILTERED,
  /** Links, indexed by the hash of the name. */
  LINK_BY_NAME,
  /** Links, indexed by creation order. */
  LINK_BY_ORDER,
  /** Shared messages, indexed by the hash of the message. */
  SHARED_MESSAGE,
  /** Attributes, indexed by the hash of the name. */
  ATTRIBUTE_BY_NAME,
  /** Attributes, indexed by creation order. */
  ATTRIBUTE_BY_ORDER,
  /** Chunks of an unfiltered dataset. */
  CHUNK,
  /** Chunks of a filtered dataset. */
  CHUNK_FILTERED,
  /** Structured chunks of an unfiltered dataset. */
  STRUCTURED_CHUNK,
  /** Structured chunks of a filtered dataset. */
  STRUCTURED_CHUNK_FILTERED;

  /**
   * Returns the newest header version of trees with records of this type. Headers are written in
   * this version; older versions can also be read.
   */
  int headerVersion() {
    return switch (this) {
      case STRUCTURED_CHUNK, STRUCTURED_CHUNK_FILTERED -> 1;
      default -> 0;
    };
  }

  /** Returns the record type number on disk. */
  public int number() {
    return ordinal();
  }
}
