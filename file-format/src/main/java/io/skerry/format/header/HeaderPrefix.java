package io.skerry.format.header;

import io.skerry.format.message.ReferenceCountMessage;
import io.skerry.format.message.group.PhaseChange;
import java.util.Optional;

/**
 * The fields of an object header before its messages. Source: HDF5 File Format Specification 3.0,
 * section IV.A.1, "Data Object Header Prefix".
 *
 * @param version the version, 1 or 2
 * @param references the reference count of the object in version 1; always 1 in version 2, where a
 *     {@link ReferenceCountMessage} contains the count instead
 * @param attributeOrder the tracking of attribute creation order; always untracked in version 1
 * @param phaseChange the numbers of attributes at which storage changes between compact and dense,
 *     if not the default
 * @param times the times of the object, if stored; this library stores none for objects it creates,
 *     except for copies of objects
 * @param sizeWidth the width in bytes of the size field of the first chunk: 1, 2, 4 or 8; 4 in
 *     version 1
 */
public record HeaderPrefix(
    int version,
    long references,
    AttributeOrder attributeOrder,
    Optional<PhaseChange> phaseChange,
    Optional<Times> times,
    int sizeWidth) {

  /** Tracking of attribute creation order. */
  public enum AttributeOrder {
    /** Creation order is not stored. */
    UNTRACKED,
    /** Creation order is stored with each attribute. */
    TRACKED,
    /** Creation order is stored, and indexed if attribute storage is dense. */
    INDEXED
  }

  /**
   * Times of an object, in seconds since 1970-01-01T00:00Z.
   *
   * @param access the time of the last access
   * @param modification the time of the last change to the data
   * @param change the time of the last change to the metadata
   * @param birth the time of creation
   */
  public record Times(long access, long modification, long change, long birth) {}

  /** Creates a prefix of version 2. */
  public HeaderPrefix(
      AttributeOrder attributeOrder,
      Optional<PhaseChange> phaseChange,
      Optional<Times> times,
      int sizeWidth) {
    this(2, 1, attributeOrder, phaseChange, times, sizeWidth);
  }

  /**
   * Returns the version 2 prefix of a new object: no times, creation order untracked, default phase
   * change.
   */
  public static HeaderPrefix plain() {
    return new HeaderPrefix(AttributeOrder.UNTRACKED, Optional.empty(), Optional.empty(), 2);
  }

  /**
   * Returns a prefix of version 1, which every HDF5 release reads.
   *
   * @param references the reference count of the object
   */
  public static HeaderPrefix earliest(long references) {
    return new HeaderPrefix(
        1, references, AttributeOrder.UNTRACKED, Optional.empty(), Optional.empty(), 4);
  }

  /** Returns this prefix with the given width in bytes for the size field of the first chunk. */
  public HeaderPrefix withSizeWidth(int bytes) {
    return new HeaderPrefix(version, references, attributeOrder, phaseChange, times, bytes);
  }

  /**
   * Returns this version 2 prefix with a different setting for the tracking of attribute creation
   * order.
   */
  public HeaderPrefix withAttributeOrder(AttributeOrder order) {
    return new HeaderPrefix(version, references, order, phaseChange, times, sizeWidth);
  }

  /** Returns this version 2 prefix with the attribute settings of another prefix. */
  public HeaderPrefix withAttributesLike(HeaderPrefix other) {
    return new HeaderPrefix(
        version, references, other.attributeOrder, other.phaseChange, times, sizeWidth);
  }

  /**
   * Returns the number of bytes before the first message. In version 2, these are the signature,
   * the version, the flags, the optional fields and the size of the messages.
   */
  public int size() {
    return version == 1
        ? 16
        : 6 + (times.isPresent() ? 16 : 0) + (phaseChange.isPresent() ? 4 : 0) + sizeWidth;
  }

  /** Returns the size in bytes of the header of each message. */
  public int messageHeaderSize() {
    return version == 1 ? 8 : attributeOrder == AttributeOrder.UNTRACKED ? 4 : 6;
  }

  /** Returns the size in bytes of the checksum at the end of each chunk. */
  int checksumSize() {
    return version == 1 ? 0 : 4;
  }

  /** Returns the size in bytes of the signature of each continuation chunk. */
  int signatureSize() {
    return version == 1 ? 0 : 4;
  }

  /**
   * Returns the alignment of message bodies: the size of every body is a multiple of this number of
   * bytes.
   */
  public int alignment() {
    return version == 1 ? 8 : 1;
  }
}
