package io.skerry.spi;

import io.skerry.DatasetWrite;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** An object that a connector stores under a path: a group, dataset, named datatype or map. */
public sealed interface StoredObject
    permits StoredGroup, StoredDataset, StoredDatatype, StoredObject.StoredMap {
  /**
   * A map that a connector stores under a path. All methods are local and thread-safe: they fail on
   * each rank independently. If several ranks have the file open, a connector may restrict access
   * to the pairs to the thread that opened it. The methods throw the exceptions that {@link
   * MapObject} describes.
   */
  non-sealed interface StoredMap extends StoredObject {
    /**
     * Returns the datatype of the keys. Local, thread-safe; does not fail.
     *
     * @return the datatype
     */
    Datatype keyType();

    /**
     * Returns the datatype of the values. Local, thread-safe; does not fail.
     *
     * @return the datatype
     */
    Datatype valueType();

    /**
     * Stores pairs in one step. If the call fails for another reason than a failure of the storage,
     * nothing has changed. Local, thread-safe.
     *
     * @param keys the keys; of equal keys, the last one is stored
     * @param values one value for each key
     */
    void put(DatasetWrite.Content keys, DatasetWrite.Content values);

    /**
     * Returns the value of a key. Local, thread-safe.
     *
     * @param key the key
     * @return the value; empty if there is no pair with this key
     */
    Optional<Value> get(Value key);

    /**
     * Returns the value of a key in memory. Local, thread-safe.
     *
     * @param key the key, a single element
     * @param memory the type to which the value is converted
     * @return the value, of {@code memory.size()} bytes; empty if there is no pair with this key
     */
    Optional<MemorySegment> get(DatasetWrite.Elements key, Datatype memory);

    /**
     * Returns whether there is a pair with a key. Local, thread-safe.
     *
     * @param key the key
     * @return true if there is one
     */
    boolean contains(Value key);

    /**
     * Removes a pair. Local, thread-safe.
     *
     * @param key the key
     * @return true if there was a pair with this key
     */
    boolean remove(Value key);

    /**
     * Counts the pairs. Local, thread-safe.
     *
     * @return the number of pairs
     */
    long size();

    /**
     * Visits keys, as {@link MapObject#iterateKeys} states. Local, thread-safe.
     *
     * @param after the position; empty for the first key
     * @param visitor the receiver of the keys, which may call methods of the file
     * @return the position at which the visitor stopped; empty if all keys were visited
     */
    Optional<MapObject.Position> iterateKeys(
        Optional<MapObject.Position> after, MapObject.KeyVisitor<Value> visitor);

    /**
     * Visits pairs, as {@link MapObject#iteratePairs} states. Local, thread-safe.
     *
     * @param after the position; empty for the first pair
     * @param visitor the receiver of the pairs, which may call methods of the file
     * @return the position at which the visitor stopped; empty if all pairs were visited
     */
    Optional<MapObject.Position> iteratePairs(
        Optional<MapObject.Position> after, MapObject.PairVisitor<Value, Value> visitor);
  }

  /**
   * Returns the path with which the object was opened or, if an external link led to it in another
   * file, its path through hard links in that file. Local, thread-safe; does not fail.
   *
   * @return the absolute path
   */
  String path();

  /**
   * Returns the path in a form that uses little memory for deeply nested objects. Local,
   * thread-safe; does not fail.
   *
   * @return the path
   */
  default ObjectPath location() {
    return ObjectPath.of(path());
  }

  /**
   * Returns the file that contains the object. If the object was reached through an external link,
   * this is the file to which the link leads. Local, thread-safe; does not fail.
   *
   * @return the file
   */
  StoredFile file();

  /**
   * Returns the attributes of the object. Local, thread-safe; does not fail.
   *
   * @return the attributes; their methods are marked as collective or local
   */
  StoredAttributes attributes();
}
