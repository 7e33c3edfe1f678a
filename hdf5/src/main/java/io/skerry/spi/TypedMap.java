package io.skerry.spi;

import io.skerry.MapObject;
import io.skerry.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A view of a map that converts keys and values.
 *
 * @param map the map
 * @param keys the conversion of the keys
 * @param values the conversion of the values
 */
record TypedMap<K, V>(MapObject map, JavaForm<K> keys, JavaForm<V> values)
    implements MapObject.Typed<K, V> {
  @Override
  public void put(K key, V value) {
    map.put(keys.value(key), values.value(value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> pairs) {
    Map<Value, Value> converted = LinkedHashMap.newLinkedHashMap(pairs.size());
    pairs.forEach((key, value) -> converted.put(keys.value(key), values.value(value)));
    map.putAll(converted);
  }

  @Override
  public Optional<V> get(K key) {
    return map.get(keys.value(key)).map(values::object);
  }

  @Override
  public boolean contains(K key) {
    return map.contains(keys.value(key));
  }

  @Override
  public boolean remove(K key) {
    return map.remove(keys.value(key));
  }

  @Override
  public Optional<MapObject.Position> iterateKeys(
      Optional<MapObject.Position> after, MapObject.KeyVisitor<K> visitor) {
    return map.iterateKeys(after, key -> visitor.visit(keys.object(key)));
  }

  @Override
  public Optional<MapObject.Position> iteratePairs(
      Optional<MapObject.Position> after, MapObject.PairVisitor<K, V> visitor) {
    return map.iteratePairs(
        after, (key, value) -> visitor.visit(keys.object(key), values.object(value)));
  }
}
