package io.skerry.iod.object.model;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.iod.encoding.EncodedDataspace;
import io.skerry.iod.encoding.EncodedDatatype;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.object.BlobWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ValueChanges;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Changes of the metadata of an object. Methods are local and throw the exceptions of {@link
 * ValueChanges}. Changes of one object must not overlap in time.
 *
 * @param id the identifier of the key-value object that holds the metadata
 * @param changes the changes of the transaction
 * @param ids the source of numbers for BLOBs that hold large values
 */
public record MetadataWriter(ObjectId id, ValueChanges changes, IdSource ids) {
  /** The maximum size of a value that is stored in a pair, in bytes. */
  public static final int LARGEST = 1 << 16;

  /** Returns the metadata with the changes so far. */
  public Metadata reader() {
    return new Metadata(id, changes);
  }

  private KeyValueWriter object() {
    return new KeyValueWriter(id, changes);
  }

  /** Stores a value of a new object. */
  public void create(MetadataKey key, MemorySegment value) {
    if (value.byteSize() <= LARGEST) {
      object().put(key.key(), value);
    } else {
      ObjectId blob = ObjectId.of(ObjectType.BLOB, ids.next(ObjectType.BLOB));
      new BlobWriter(blob, changes).create(value);
      VariableCell cell = new VariableCell(Optional.of(blob), value.byteSize());
      object().put(key.spilledKey(), cell.encode());
    }
  }

  /** Stores a value, replacing any previous one. */
  public void put(MetadataKey key, MemorySegment value) {
    removeSpilled(key);
    if (value.byteSize() > LARGEST) {
      object().remove(key.key());
    }
    create(key, value);
  }

  private void removeSpilled(MetadataKey key) {
    reader()
        .spilled(key)
        .flatMap(VariableCell::blob)
        .ifPresent(blob -> {
          new BlobWriter(blob, changes).delete();
          object().remove(key.spilledKey());
        });
  }

  /** Removes all metadata, including the BLOBs of large values. */
  public void delete() {
    for (MetadataKey key : MetadataKey.values()) {
      removeSpilled(key);
    }
    object().clear();
  }

  /** Stores an unsigned integer of 8 bytes. */
  public void u64(MetadataKey key, long value) {
    object().put(key.key(), ByteWriter.withCapacity(Long.BYTES).u64(value).written());
  }

  /** Stores a signed integer of 4 bytes. */
  public void i32(MetadataKey key, int value) {
    object().put(key.key(), ByteWriter.withCapacity(Integer.BYTES).u32(value).written());
  }

  /** Stores the kind and the creation property list of a new object. */
  void create(ObjectKind kind, PropertyList creation) {
    i32(MetadataKey.OBJECT_TYPE, kind.code());
    create(MetadataKey.OBJECT_CREATE_PLIST, MemorySegment.ofArray(creation.encode()));
  }

  /** Stores a datatype of a new object. */
  void create(MetadataKey key, Datatype type) {
    create(key, MemorySegment.ofArray(EncodedDatatype.encode(type)));
  }

  /**
   * Stores the extent of the dataspace.
   *
   * @param extent the extent; empty for a null dataspace
   */
  public void extent(Optional<Shape> extent) {
    EncodedDataspace space =
        extent.map(EncodedDataspace::of).orElseGet(EncodedDataspace::withoutElements);
    put(
        MetadataKey.OBJECT_DATASPACE,
        MemorySegment.ofArray(space.encode(SelectionEncoding.LIBRARY_V110)));
  }

  /** Increases the number of links by 1. */
  void addLink() {
    u64(MetadataKey.OBJECT_LINK_COUNT, Math.addExact(reader().linkCount(), 1));
  }

  /**
   * Decreases the number of links by 1.
   *
   * @return the number of links that remain
   * @throws FormatException if there were none
   */
  long removeLink() {
    long remaining = reader().linkCount() - 1;
    if (remaining < 0) {
      throw new FormatException("number of links", "at least 1", 0)
          .inObject(id.toString())
          .inFile(changes.container());
    }
    u64(MetadataKey.OBJECT_LINK_COUNT, remaining);
    return remaining;
  }
}
