package io.skerry.iod.connector;

import io.skerry.DatasetWrite;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.iod.connector.map.MapPairs;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.model.MapTypes;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredFile;
import io.skerry.spi.StoredObject;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A map of a container.
 *
 * @param owner the file
 * @param location the path with which the map was opened
 * @param id the identifier
 * @param types the datatypes of keys and values
 * @param pairs the pairs
 */
record IodMap(IodFile owner, ObjectPath location, ObjectId id, MapTypes types, MapPairs pairs)
    implements StoredObject.StoredMap {
  static IodMap of(IodFile owner, ObjectPath location, ObjectId id, MapTypes types) {
    return new IodMap(
        owner,
        location,
        id,
        types,
        new MapPairs(owner.session(), owner.contents(), location, id, types));
  }

  @Override
  public StoredFile file() {
    return owner;
  }

  @Override
  public String path() {
    return location.toString();
  }

  @Override
  public StoredAttributes attributes() {
    return new IodAttributes(owner, location, id);
  }

  @Override
  public Datatype keyType() {
    return types.key();
  }

  @Override
  public Datatype valueType() {
    return types.value();
  }

  @Override
  public void put(DatasetWrite.Content keys, DatasetWrite.Content values) {
    pairs.put(keys, values);
  }

  @Override
  public Optional<Value> get(Value key) {
    return pairs.get(key);
  }

  @Override
  public Optional<MemorySegment> get(DatasetWrite.Elements key, Datatype memory) {
    return pairs.get(key, memory);
  }

  @Override
  public boolean contains(Value key) {
    return pairs.contains(key);
  }

  @Override
  public boolean remove(Value key) {
    return pairs.remove(key);
  }

  @Override
  public long size() {
    return pairs.size();
  }

  @Override
  public Optional<MapObject.Position> iterateKeys(
      Optional<MapObject.Position> after, MapObject.KeyVisitor<Value> visitor) {
    return pairs.iterateKeys(after, visitor);
  }

  @Override
  public Optional<MapObject.Position> iteratePairs(
      Optional<MapObject.Position> after, MapObject.PairVisitor<Value, Value> visitor) {
    return pairs.iteratePairs(after, visitor);
  }
}
