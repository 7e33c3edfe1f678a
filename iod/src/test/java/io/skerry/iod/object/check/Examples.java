package io.skerry.iod.object.check;

import io.skerry.DatasetSpec;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.iod.encoding.property.CreationProperties;
import io.skerry.iod.encoding.property.Property;
import io.skerry.iod.encoding.property.PropertyClass;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.object.ArrayWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.KeyPlacement;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.LeasedIds;
import io.skerry.iod.object.model.Attributes;
import io.skerry.iod.object.model.CellContents;
import io.skerry.iod.object.model.Deletion;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.LinkWriter;
import io.skerry.iod.object.model.ObjectCreator;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.iod.object.model.VariableCell;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The examples of the figures of the layout specification, in one container. */
final class Examples {
  static final Datatype INTEGER = FixedPoint.of(4, Signedness.SIGNED, Endian.LITTLE);
  static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  private final StoreChanges changes;
  private final IdCounters counters;
  private final IdSource ids;
  private final ObjectCreator creator;

  private Examples(StoreChanges changes) {
    this.changes = changes;
    StoredObject root =
        ObjectCreator.createRoot(changes, PropertyList.of(PropertyClass.FILE_CREATE));
    this.counters = IdCounters.read(changes);
    this.ids = new LeasedIds(type -> counters.lease(type, 42));
    this.creator = new ObjectCreator(changes, ids);
    attribute(root, new byte[] {1, 2, 3, 4});
  }

  static PropertyList list(PropertyClass kind) {
    return PropertyList.of(kind, Property.of(CreationProperties.MIN_DENSE_ATTRIBUTES, 6L));
  }

  static MemorySegment bytes(byte... bytes) {
    return MemorySegment.ofArray(bytes);
  }

  static MemorySegment text(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes all examples in a new container. */
  static void write(StoreChanges changes) {
    Examples examples = new Examples(changes);
    examples.group();
    examples.dataset();
    examples.text();
    examples.datatype();
    examples.map();
    examples.counters.store(changes);
  }

  private void attribute(StoredObject owner, byte[] value) {
    StoredObject attribute =
        creator.attribute(
            owner,
            "attribute1",
            INTEGER,
            Optional.of(Shape.scalar()),
            PropertyList.of(PropertyClass.ATTRIBUTE_CREATE),
            Optional.empty());
    new ArrayWriter(attribute.id(), changes).put(Attributes.TILE, bytes(value));
  }

  private void link(ObjectId group, String name, Link link) {
    new LinkWriter(group, changes, new Deletion(changes, ids, TileDecoder.PLAIN)).put(name, link);
  }

  /** Figure of section 1.2: a group with two children. */
  private void group() {
    StoredObject group = creator.group(list(PropertyClass.GROUP_CREATE));
    link(ObjectId.ROOT, "G1", new Link.Hard(group.id()));
    StoredObject child = creator.group(PropertyList.of(PropertyClass.GROUP_CREATE));
    link(group.id(), "G2", new Link.Hard(child.id()));
    link(group.id(), "up", new Link.Soft("/G1"));
  }

  /** Figure of section 1.3: the values of a dataset of integers, in two tiles. */
  private void dataset() {
    StoredObject dataset =
        creator.dataset(DatasetSpec.of(INTEGER, Shape.of(4, 4)).chunked(2, 4), Optional.empty());
    link(ObjectId.ROOT, "D1", new Link.Hard(dataset.id()));
    var array = new ArrayWriter(dataset.id(), changes);
    array.put(0, integers(0, 25, 6, 8, 7, 90, 26, 78));
    array.put(1, integers(87, 676, 87, 56, 46, 67, 87, 56));
    attribute(dataset, new byte[] {5, 0, 0, 0});
  }

  private static MemorySegment integers(int... values) {
    byte[] bytes = new byte[4 * values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[4 * i] = (byte) values[i];
      bytes[4 * i + 1] = (byte) (values[i] >> 8);
    }
    return bytes(bytes);
  }

  /** A dataset of text of variable length: one BLOB for each cell with content. */
  private void text() {
    StoredObject dataset =
        creator.dataset(DatasetSpec.of(TEXT, Shape.of(2)).chunked(2), Optional.empty());
    link(ObjectId.ROOT, "V1", new Link.Hard(dataset.id()));
    VariableCell cell = new CellContents(changes, ids).write(VariableCell.EMPTY, text("variable"));
    MemorySegment tile = MemorySegment.ofArray(new byte[2 * VariableCell.SIZE]);
    tile.copyFrom(cell.encode());
    new ArrayWriter(dataset.id(), changes).put(0, tile);
  }

  /** Figure of section 1.4: a committed datatype. */
  private void datatype() {
    StoredObject type = creator.datatype(INTEGER, list(PropertyClass.DATATYPE_CREATE));
    link(ObjectId.ROOT, "T1", new Link.Hard(type.id()));
  }

  /** Figure of section 1.6: a map with two pairs. */
  private void map() {
    StoredObject map =
        creator.map(INTEGER, TEXT, KeyPlacement.TOGETHER, list(PropertyClass.MAP_CREATE));
    link(ObjectId.ROOT, "M1", new Link.Hard(map.id()));
    var pairs = new KeyValueWriter(map.id(), changes);
    pairs.put(Bytes.of(bytes((byte) 1, (byte) 0, (byte) 0, (byte) 0)), text("one"));
    pairs.put(Bytes.of(bytes((byte) 2, (byte) 0, (byte) 0, (byte) 0)), text("two"));
    attribute(map, new byte[] {7, 0, 0, 0});
  }

  static ObjectId id(ObjectType type, long number) {
    return ObjectId.of(type, number);
  }
}
