package io.skerry.iod.object;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The scratch pad of an object: the identifiers of up to four other objects. Immutable.
 *
 * <pre>
 * +0           +8             +16     +24      +32
 * +------------+--------------+-------+--------+
 * | metadata   | attributes   | extra | fourth |   u64 each; all ones: none
 * +------------+--------------+-------+--------+
 * </pre>
 *
 * <p>The key-value objects that a scratch pad names, and the BLOB objects of cells, have no scratch
 * pad of their own.
 *
 * @param metadata the key-value object of the metadata
 * @param attributes the key-value object of the attributes
 * @param extra the key-value object of the ID leases; only the root group has one
 * @param fourth not used
 */
public record ScratchPad(
    Optional<ObjectId> metadata,
    Optional<ObjectId> attributes,
    Optional<ObjectId> extra,
    Optional<ObjectId> fourth) {
  /** The size of a scratch pad in bytes. */
  public static final int SIZE = 32;

  /** Returns the scratch pad of an object with attributes. Local, thread-safe; does not fail. */
  public static ScratchPad of(ObjectId metadata, ObjectId attributes) {
    return new ScratchPad(
        Optional.of(metadata), Optional.of(attributes), Optional.empty(), Optional.empty());
  }

  /** Returns the scratch pad of an attribute. Local, thread-safe; does not fail. */
  public static ScratchPad ofAttribute(ObjectId metadata) {
    return new ScratchPad(
        Optional.of(metadata), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns this scratch pad with an extra object. Local, thread-safe; does not fail. */
  public ScratchPad withExtra(ObjectId id) {
    return new ScratchPad(metadata, attributes, Optional.of(id), fourth);
  }

  /** Returns the identifiers that are not empty, in order. Local, thread-safe; does not fail. */
  public List<ObjectId> ids() {
    return Stream.of(metadata, attributes, extra, fourth).flatMap(Optional::stream).toList();
  }

  /**
   * Returns the metadata object, which every HDF5 object has.
   *
   * @throws FormatException if there is none
   */
  public ObjectId requireMetadata() {
    return metadata.orElseThrow(
        () -> new FormatException("scratch pad: metadata", "an identifier", "none"));
  }

  /**
   * Returns the object of the attributes, which every HDF5 object except an attribute has.
   *
   * @throws FormatException if there is none
   */
  public ObjectId requireAttributes() {
    return attributes.orElseThrow(
        () -> new FormatException("scratch pad: attributes", "an identifier", "none"));
  }

  /** Returns the {@link #SIZE} stored bytes. Local, thread-safe; does not fail. */
  public MemorySegment encode() {
    ByteWriter out = ByteWriter.withCapacity(SIZE);
    for (Optional<ObjectId> id : List.of(metadata, attributes, extra, fourth)) {
      out.u64(id.map(ObjectId::bits).orElse(ObjectId.INVALID));
    }
    return out.written();
  }

  /**
   * Decodes a scratch pad. Local, thread-safe.
   *
   * @throws FormatException if the size is not {@link #SIZE}, or an identifier is not that of a
   *     key-value object
   */
  public static ScratchPad decode(MemorySegment bytes) {
    ByteReader in = ByteReader.of(bytes, "scratch pad");
    in.expect("size", SIZE, in.remaining());
    return new ScratchPad(
        id(in, "metadata"), id(in, "attributes"), id(in, "extra"), id(in, "fourth"));
  }

  private static Optional<ObjectId> id(ByteReader in, String field) {
    long bits = in.i64();
    return bits == ObjectId.INVALID
        ? Optional.empty()
        : Optional.of(ObjectId.decode(bits, ObjectType.KV, "scratch pad: " + field));
  }
}
