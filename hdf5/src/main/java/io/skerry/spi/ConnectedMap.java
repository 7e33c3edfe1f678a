package io.skerry.spi;

import io.skerry.DatasetWrite;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Implements {@link MapObject} with a {@link StoredObject.StoredMap} of a connector. */
final class ConnectedMap extends ConnectedObject implements MapObject {
  private final StoredObject.StoredMap stored;

  ConnectedMap(ConnectedFile file, StoredObject.StoredMap stored) {
    super(file, stored);
    this.stored = stored;
  }

  @Override
  public Datatype keyType() {
    return stored.keyType();
  }

  @Override
  public Datatype valueType() {
    return stored.valueType();
  }

  @Override
  public void put(Value key, Value value) {
    stored.put(new DatasetWrite.Values(List.of(key)), new DatasetWrite.Values(List.of(value)));
  }

  @Override
  public void putAll(Map<Value, Value> pairs) {
    // The pairs are copied in one pass: if the map changed between two passes, keys could be
    // combined with the values of other pairs.
    List<Map.Entry<Value, Value>> entries = List.copyOf(pairs.entrySet());
    stored.put(
        new DatasetWrite.Values(entries.stream().map(Map.Entry::getKey).toList()),
        new DatasetWrite.Values(entries.stream().map(Map.Entry::getValue).toList()));
  }

  @Override
  public void putAll(
      Datatype keyMemory, MemorySegment keys, Datatype valueMemory, MemorySegment values) {
    stored.put(
        new DatasetWrite.Elements(keyMemory, keys), new DatasetWrite.Elements(valueMemory, values));
  }

  @Override
  public Optional<Value> get(Value key) {
    return stored.get(key);
  }

  @Override
  public Optional<MemorySegment> get(Datatype keyMemory, MemorySegment key, Datatype valueMemory) {
    return stored.get(new DatasetWrite.Elements(keyMemory, key), valueMemory);
  }

  @Override
  public boolean contains(Value key) {
    return stored.contains(key);
  }

  @Override
  public boolean remove(Value key) {
    return stored.remove(key);
  }

  @Override
  public long size() {
    return stored.size();
  }

  @Override
  public Optional<Position> iterateKeys(Optional<Position> after, KeyVisitor<Value> visitor) {
    return stored.iterateKeys(after, visitor);
  }

  @Override
  public Optional<Position> iteratePairs(
      Optional<Position> after, PairVisitor<Value, Value> visitor) {
    return stored.iteratePairs(after, visitor);
  }

  @Override
  public <K, V> Typed<K, V> typed(Class<K> key, Class<V> value) {
    return new TypedMap<>(
        this,
        JavaForm.of(key, keyType(), "keys of " + shownPath()),
        JavaForm.of(value, valueType(), "values of " + shownPath()));
  }
}
