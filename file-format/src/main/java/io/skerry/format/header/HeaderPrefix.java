package io.skerry.format.header;

import io.skerry.format.message.ReferenceCountMessage;
import io.skerry.format.message.group.PhaseChange;
import java.util.Optional;

/**
 * What an object header says of itself before its messages.
 *
 * @param version 1 or 2
 * @param references hard links to the object, which version 1 keeps here; 1 in version 2, which has
 *     a {@link ReferenceCountMessage}
 * @param attributeOrder whether the creation order of attributes is kept; never in version 1
 * @param phaseChange when attributes move to and from a heap, if not the default
 * @param times as read, if there are any; this library gives none to its own objects
 * @param sizeWidth bytes of the size of the first chunk: 1, 2, 4 or 8; 4 in version 1
 */
public record HeaderPrefix(
    int version,
    long references,
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

  /** Version 2. */
  public HeaderPrefix(
      AttributeOrder attributeOrder,
      Optional<PhaseChange> phaseChange,
      Optional<Times> times,
      int sizeWidth) {
    this(2, 1, attributeOrder, phaseChange, times, sizeWidth);
  }

  /** The prefix of a new object: no times, untracked, defaults. */
  public static HeaderPrefix plain() {
    return new HeaderPrefix(AttributeOrder.UNTRACKED, Optional.empty(), Optional.empty(), 2);
  }

  /**
   * The prefix of version 1, which every HDF5 reads.
   *
   * @param references hard links to the object
   */
  public static HeaderPrefix earliest(long references) {
    return new HeaderPrefix(
        1, references, AttributeOrder.UNTRACKED, Optional.empty(), Optional.empty(), 4);
  }

  /** This prefix for a first chunk whose size takes so many bytes. */
  public HeaderPrefix withSizeWidth(int bytes) {
    return new HeaderPrefix(version, references, attributeOrder, phaseChange, times, bytes);
  }

  /** This prefix, of version 2, with another word on the creation order of attributes. */
  public HeaderPrefix withAttributeOrder(AttributeOrder order) {
    return new HeaderPrefix(version, references, order, phaseChange, times, sizeWidth);
  }

  /** Bytes before the first message: signature, version, flags, optional fields, size. */
  public int size() {
    return version == 1
        ? 16
        : 6 + (times.isPresent() ? 16 : 0) + (phaseChange.isPresent() ? 4 : 0) + sizeWidth;
  }

  /** Bytes of the header of each message. */
  public int messageHeaderSize() {
    return version == 1 ? 8 : attributeOrder == AttributeOrder.UNTRACKED ? 4 : 6;
  }

  /** Bytes of the checksum at the end of each chunk. */
  int checksumSize() {
    return version == 1 ? 0 : 4;
  }

  /** Bytes of the signature at the start of each further chunk. */
  int signatureSize() {
    return version == 1 ? 0 : 4;
  }

  /** Every message body is a multiple of so many bytes long. */
  public int alignment() {
    return version == 1 ? 8 : 1;
  }
}
