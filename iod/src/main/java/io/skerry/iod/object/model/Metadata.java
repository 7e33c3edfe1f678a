package io.skerry.iod.object.model;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.encoding.EncodedDataspace;
import io.skerry.iod.encoding.EncodedDatatype;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.object.BlobObject;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The metadata of an object at a transaction. Methods are local and thread-safe, and throw the
 * exceptions of {@link Values}. Methods that decode throw a {@link FormatException} that names the
 * container, the object and the key if a value is missing or not of the expected form.
 *
 * @param id the identifier of the key-value object that holds the metadata
 * @param values the values of the container at the transaction
 */
public record Metadata(ObjectId id, Values values) {
  static final SegmentAllocator HEAP =
      (bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);

  /** Returns a value; empty if there is none. A large value is read from its BLOB. */
  public Optional<MemorySegment> find(MetadataKey key) {
    return object().get(key.key(), HEAP).or(() -> spilled(key).map(this::read));
  }

  private KeyValueObject object() {
    return new KeyValueObject(id, values);
  }

  private MemorySegment read(VariableCell cell) {
    return new BlobObject(cell.blob().orElseThrow(), values).readKnown(cell.length(), HEAP);
  }

  /** Returns the BLOB that holds a large value; empty if the value is not in a BLOB. */
  public Optional<VariableCell> spilled(MetadataKey key) {
    return object()
        .get(key.spilledKey(), HEAP)
        .map(bytes -> decoded(key, bytes, Metadata::spilledCell));
  }

  private static VariableCell spilledCell(MemorySegment bytes) {
    ByteReader in = ByteReader.of(bytes, "spilled value");
    VariableCell cell = VariableCell.decode(in);
    in.expect("bytes after the cell", 0, in.remaining());
    if (cell.blob().isEmpty() || cell.length() > Integer.MAX_VALUE) {
      throw in.fault("length", "1 to 2^31-1", cell.length());
    }
    return cell;
  }

  /** Returns a decoded value; empty if there is none. */
  <T> Optional<T> find(MetadataKey key, Function<MemorySegment, T> decoder) {
    return find(key).map(bytes -> decoded(key, bytes, decoder));
  }

  private <T> T decoded(MetadataKey key, MemorySegment bytes, Function<MemorySegment, T> decoder) {
    try {
      return decoder.apply(bytes);
    } catch (FormatException e) {
      throw named(key, e);
    } catch (UnsupportedFeatureException e) {
      throw new UnsupportedFeatureException(e.feature(), e.where() + " of " + place(key))
          .inFile(values.container());
    }
  }

  private FormatException named(MetadataKey key, FormatException e) {
    return e.inObject(place(key)).inFile(values.container());
  }

  private String place(MetadataKey key) {
    return id + " pair \"" + key.text() + "\"";
  }

  private <T> T require(MetadataKey key, Function<MemorySegment, T> decoder) {
    return find(key, decoder)
        .orElseThrow(
            () -> named(key, new FormatException("metadata", "a pair " + key.text(), "none")));
  }

  /** Returns an unsigned integer of 8 bytes; empty if there is none. */
  public OptionalLong u64(MetadataKey key) {
    return find(key, bytes -> OptionalLong.of(u64(bytes))).orElse(OptionalLong.empty());
  }

  private static long u64(MemorySegment bytes) {
    ByteReader in = ByteReader.of(bytes, "number");
    long value = in.i64();
    in.expect("bytes after the number", 0, in.remaining());
    return value;
  }

  /** Returns a signed integer of 4 bytes; empty if there is none. */
  public Optional<Integer> i32(MetadataKey key) {
    return find(key, Metadata::i32);
  }

  private static int i32(MemorySegment bytes) {
    ByteReader in = ByteReader.of(bytes, "number");
    int value = in.i32();
    in.expect("bytes after the number", 0, in.remaining());
    return value;
  }

  /** Returns the kind of the object. */
  public ObjectKind kind() {
    return require(MetadataKey.OBJECT_TYPE, bytes -> ObjectKind.decode(i32(bytes)));
  }

  /** Returns the number of links. */
  public long linkCount() {
    return require(
        MetadataKey.OBJECT_LINK_COUNT,
        bytes -> {
          long count = u64(bytes);
          if (count < 0) {
            throw new FormatException("number of links", "0 to 2^63-1", count);
          }
          return count;
        });
  }

  /** Returns the creation property list. */
  public PropertyList creation() {
    return require(MetadataKey.OBJECT_CREATE_PLIST, PropertyList::decode);
  }

  /** Returns the datatype that is stored under a key. */
  public Datatype datatype(MetadataKey key) {
    return require(key, bytes -> EncodedDatatype.decode(bytes));
  }

  /** Returns the extent of the dataspace; empty for a null dataspace. */
  public Optional<Shape> extent() {
    return require(MetadataKey.OBJECT_DATASPACE, EncodedDataspace::decode).extent();
  }

  /** Returns the committed datatype that the object shares; empty if there is none. */
  public Optional<ObjectId> committedType() {
    return find(
        MetadataKey.SKERRY_COMMITTED_TYPE,
        bytes -> ObjectId.decode(u64(bytes), ObjectKind.DATATYPE.type(), "committed datatype"));
  }
}
