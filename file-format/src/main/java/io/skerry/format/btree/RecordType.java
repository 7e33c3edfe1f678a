package io.skerry.format.btree;

/** What the records of a version 2 B-tree are; the constants stand in the order of the numbers. */
public enum RecordType {
  /** For the HDF5 library's tests only. */
  TESTING,
  /** Huge objects of a heap by number, unfiltered. */
  HUGE_BY_ID,
  /** Huge objects of a heap by number, filtered. */
  HUGE_BY_ID_FILTERED,
  /** Huge objects of a heap by address, unfiltered. */
  HUGE_BY_ADDRESS,
  /** Huge objects of a heap by address, filtered. */
  HUGE_BY_ADDRESS_FILTERED,
  /** Links by hash of the name. */
  LINK_BY_NAME,
  /** Links by creation order. */
  LINK_BY_ORDER,
  /** Shared messages by hash of the message. */
  SHARED_MESSAGE,
  /** Attributes by hash of the name. */
  ATTRIBUTE_BY_NAME,
  /** Attributes by creation order. */
  ATTRIBUTE_BY_ORDER,
  /** Chunks of an unfiltered dataset. */
  CHUNK,
  /** Chunks of a filtered dataset. */
  CHUNK_FILTERED,
  /** Structured chunks of an unfiltered dataset. */
  STRUCTURED_CHUNK,
  /** Structured chunks of a filtered dataset. */
  STRUCTURED_CHUNK_FILTERED;

  /** Newest version of the header of such a tree, which is what new trees get; all are read. */
  int headerVersion() {
    return switch (this) {
      case STRUCTURED_CHUNK, STRUCTURED_CHUNK_FILTERED -> 1;
      default -> 0;
    };
  }

  /** The number on disk. */
  public int number() {
    return ordinal();
  }
}
