package io.skerry.format.object;

import java.util.Optional;

/**
 * What an object header says of itself before its messages.
 *
 * @param attributeOrder whether the creation order of attributes is kept
 * @param phaseChange when attributes move to and from a heap, if not the default
 * @param times as read, if there are any; this library gives none to its own objects
 * @param sizeWidth bytes of the size of the first chunk: 1, 2, 4 or 8
 */
public record HeaderPrefix(
    AttributeOrder attributeOrder,
    Optional<PhaseChange> phaseChange,
    Optional<Times> times,
    int sizeWidth) {

  /** Whether the creation order of attributes is kept. */
  public enum AttributeOrder {
    /** Not kept. */
    UNTRACKED,
    /** Kept with each attribute. */
    TRACKED,
    /** Kept, and indexed if attributes are dense. */
    INDEXED
  }

  /**
   * Times of the object, in seconds since 1970-01-01T00:00Z.
   *
   * @param access last access
   * @param modification last change of data
   * @param change last change of metadata
   * @param birth creation
   */
  public record Times(long access, long modification, long change, long birth) {}

  /** The prefix of a new object: no times, untracked, defaults. */
  public static HeaderPrefix plain() {
    return new HeaderPrefix(AttributeOrder.UNTRACKED, Optional.empty(), Optional.empty(), 2);
  }

  /** Bytes before the first message: signature, version, flags, optional fields, size. */
  public int size() {
    return 6 + (times.isPresent() ? 16 : 0) + (phaseChange.isPresent() ? 4 : 0) + sizeWidth;
  }

  /** Bytes of the header of each message. */
  public int messageHeaderSize() {
    return attributeOrder == AttributeOrder.UNTRACKED ? 4 : 6;
  }
}
