package io.skerry.iod.object.model;

import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.iod.encoding.EncodedDatatype;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.object.BlobWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.KeyPlacement;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ScratchPad;
import io.skerry.iod.object.ValueChanges;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Creates objects. A new object has no links yet; {@link LinkWriter#put} adds them. Methods are
 * local and throw the exceptions of {@link ValueChanges} and of {@link IdSource}.
 *
 * @param changes the changes of the transaction
 * @param ids the source of numbers for new objects
 */
public record ObjectCreator(ValueChanges changes, IdSource ids) {
  private static final long ROOT_METADATA = 1;
  private static final long ROOT_ATTRIBUTES = 2;
  private static final long ROOT_LEASES = 3;

  /**
   * Creates the root group of a new container, which uses the key-value object numbers 0 to 3. The
   * first block of these numbers is never leased.
   *
   * @param creation a file creation property list
   */
  public static StoredObject createRoot(ValueChanges changes, PropertyList creation) {
    ScratchPad pad =
        ScratchPad.of(
                ObjectId.of(ObjectType.KV, ROOT_METADATA),
                ObjectId.of(ObjectType.KV, ROOT_ATTRIBUTES))
            .withExtra(ObjectId.of(ObjectType.KV, ROOT_LEASES));
    StoredObject root = new StoredObject(ObjectId.ROOT, ObjectKind.GROUP, pad);
    IdSource none =
        type -> {
          throw new IllegalStateException("the root group has no number for a " + type);
        };
    MetadataWriter metadata = new MetadataWriter(pad.requireMetadata(), changes, none);
    metadata.create(ObjectKind.GROUP, creation);
    metadata.u64(MetadataKey.OBJECT_LINK_COUNT, 1);
    metadata.u64(MetadataKey.KV_IDS_INDEX, 1);
    metadata.u64(MetadataKey.ARRAY_IDS_INDEX, 0);
    metadata.u64(MetadataKey.BLOB_IDS_INDEX, 0);
    root.create(changes);
    return root;
  }

  private ObjectId id(ObjectType type) {
    return ObjectId.of(type, ids.next(type));
  }

  /** Creates an object with a scratch pad, kind, property list and link count. */
  private StoredObject create(ObjectId id, ObjectKind kind) {
    ScratchPad pad = ScratchPad.of(id(ObjectType.KV), id(ObjectType.KV));
    StoredObject object = new StoredObject(id, kind, pad);
    object.create(changes);
    metadata(object).u64(MetadataKey.OBJECT_LINK_COUNT, 0);
    return object;
  }

  /** Returns a writer of the metadata of an object. */
  public MetadataWriter metadata(StoredObject object) {
    return new MetadataWriter(object.pad().requireMetadata(), changes, ids);
  }

  /**
   * Creates a group.
   *
   * @param creation a group creation property list
   */
  public StoredObject group(PropertyList creation) {
    StoredObject group = create(id(ObjectType.KV), ObjectKind.GROUP);
    metadata(group).create(ObjectKind.GROUP, creation);
    return group;
  }

  /**
   * Creates a dataset without tiles.
   *
   * @param spec the specification; its path of a committed datatype is ignored
   * @param committed the committed datatype that the dataset shares; empty if none
   * @throws io.skerry.exception.UnsupportedFeatureException if the dataset is virtual, or in the
   *     cases of {@link TypeRules#checkElements}
   * @throws io.skerry.exception.FormatException if there is no such committed datatype
   */
  public StoredObject dataset(DatasetSpec spec, Optional<ObjectId> committed) {
    TypeRules.checkElements(spec);
    StoredObject dataset = create(id(ObjectType.ARRAY), ObjectKind.DATASET);
    DatasetMetadata.of(spec).create(metadata(dataset));
    share(dataset, committed);
    return dataset;
  }

  private void share(StoredObject object, Optional<ObjectId> committed) {
    committed.ifPresent(id -> {
      StoredObject type = StoredObject.open(changes, id, ObjectKind.DATATYPE);
      metadata(type).addLink();
      metadata(object).u64(MetadataKey.SKERRY_COMMITTED_TYPE, id.bits());
    });
  }

  /**
   * Creates a committed datatype.
   *
   * @param creation a datatype creation property list
   * @throws io.skerry.exception.UnsupportedFeatureException if the datatype has a variable-length
   *     type nested in another one
   */
  public StoredObject datatype(Datatype type, PropertyList creation) {
    TypeRules.check(type, "committed datatype");
    StoredObject object = create(id(ObjectType.BLOB), ObjectKind.DATATYPE);
    byte[] encoded = EncodedDatatype.encode(type);
    new BlobWriter(object.id(), changes).create(MemorySegment.ofArray(encoded));
    metadata(object).create(ObjectKind.DATATYPE, creation);
    metadata(object).u64(MetadataKey.SERIALIZED_SIZE, encoded.length);
    return object;
  }

  /**
   * Creates a map without pairs.
   *
   * @param key the datatype of the keys
   * @param value the datatype of the values
   * @param creation a map creation property list
   * @throws io.skerry.exception.UnsupportedFeatureException in the cases of {@link
   *     TypeRules#checkKey} and {@link TypeRules#checkMapValue}
   */
  public StoredObject map(
      Datatype key, Datatype value, KeyPlacement placement, PropertyList creation) {
    TypeRules.checkKey(key, "keys of a map");
    TypeRules.checkMapValue(value, "values of a map");
    ObjectId id = ObjectId.ofPairs(placement, ids.next(ObjectType.KV));
    StoredObject map = create(id, ObjectKind.MAP);
    MetadataWriter metadata = metadata(map);
    metadata.create(ObjectKind.MAP, creation);
    metadata.create(MetadataKey.MAP_KEYTYPE, key);
    metadata.create(MetadataKey.MAP_VALTYPE, value);
    return map;
  }

  /**
   * Creates an attribute without cells.
   *
   * @param owner the object to which the attribute belongs
   * @param type the datatype of the cells
   * @param extent the extent; empty for a null dataspace
   * @param creation an attribute creation property list
   * @param committed the committed datatype that the attribute shares; empty if none
   * @throws IllegalArgumentException if the object has an attribute with the name, or if the name
   *     is empty or contains a NUL
   * @throws io.skerry.exception.UnsupportedFeatureException if the datatype has a variable-length
   *     type nested in another one
   * @throws io.skerry.exception.FormatException if there is no such committed datatype
   */
  public StoredObject attribute(
      StoredObject owner,
      String name,
      Datatype type,
      Optional<Shape> extent,
      PropertyList creation,
      Optional<ObjectId> committed) {
    TypeRules.check(type, "datatype of an attribute");
    Attributes attributes = Attributes.of(owner, changes);
    if (attributes.find(name).isPresent()) {
      throw new IllegalArgumentException(
          "the object has an attribute of this name: object=" + owner.id() + " name=" + name);
    }
    ObjectId id = id(ObjectType.ARRAY);
    ScratchPad pad = ScratchPad.ofAttribute(id(ObjectType.KV));
    StoredObject attribute = new StoredObject(id, ObjectKind.ATTRIBUTE, pad);
    attribute.create(changes);
    MetadataWriter metadata = metadata(attribute);
    metadata.create(ObjectKind.ATTRIBUTE, creation);
    metadata.create(MetadataKey.OBJECT_DATATYPE, type);
    metadata.extent(extent);
    share(attribute, committed);
    new KeyValueWriter(attributes.id(), changes).put(NameKeys.encode(name), Attributes.encode(id));
    return attribute;
  }
}
