package io.skerry.internal.log;

import io.skerry.DatasetWrite;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredObject;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A map that forwards its calls and logs them, without their keys and values.
 *
 * @param below the map to which calls are forwarded
 * @param file the file that contains the map
 */
record LoggedMap(StoredObject.StoredMap below, LoggedFile file) implements StoredObject.StoredMap {
  @Override
  public String path() {
    return below.path();
  }

  @Override
  public ObjectPath location() {
    return below.location();
  }

  @Override
  public LoggedAttributes attributes() {
    return new LoggedAttributes(below.attributes(), path(), file);
  }

  @Override
  public Datatype keyType() {
    return below.keyType();
  }

  @Override
  public Datatype valueType() {
    return below.valueType();
  }

  @Override
  public void put(DatasetWrite.Content keys, DatasetWrite.Content values) {
    file.calls().run("put into " + path(), () -> below.put(keys, values));
  }

  @Override
  public Optional<Value> get(Value key) {
    return file.calls().call("get from " + path(), () -> below.get(key));
  }

  @Override
  public Optional<MemorySegment> get(DatasetWrite.Elements key, Datatype memory) {
    return file.calls()
        .call("get from " + path() + " memory=" + memory, () -> below.get(key, memory));
  }

  @Override
  public boolean contains(Value key) {
    return file.calls().call("find in " + path(), () -> below.contains(key));
  }

  @Override
  public boolean remove(Value key) {
    return file.calls().call("remove from " + path(), () -> below.remove(key));
  }

  @Override
  public long size() {
    return file.calls().call("size of " + path(), below::size);
  }

  @Override
  public Optional<MapObject.Position> iterateKeys(
      Optional<MapObject.Position> after, MapObject.KeyVisitor<Value> visitor) {
    return file.calls().call("keys of " + path(), () -> below.iterateKeys(after, visitor));
  }

  @Override
  public Optional<MapObject.Position> iteratePairs(
      Optional<MapObject.Position> after, MapObject.PairVisitor<Value, Value> visitor) {
    return file.calls().call("pairs of " + path(), () -> below.iteratePairs(after, visitor));
  }
}
