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
   * each rank independently. If several ranks have the file open, only the thread that opened it
   * may call the methods that read or change pairs; on any other thread, they throw {@link
   * IllegalStateException}. The methods throw the exceptions that {@link MapObject} describes for
   * all its methods, and those listed here.
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
     * Stores pairs in one step. If the call fails for any reason other than a storage failure,
     * nothing has changed. Local, thread-safe.
     *
     * @param keys the keys; if several keys are equal, only the last of their pairs is stored
     * @param values one value for each key
     * @throws IllegalArgumentException if a key or value does not fit its datatype, is too long or
     *     is incomplete, as in {@link MapObject#put} and {@link MapObject#putAll(Datatype,
     *     MemorySegment, Datatype, MemorySegment)}, or there is not exactly one value for each key
     * @throws io.skerry.exception.UnsupportedFeatureException if elements in memory cannot be
     *     converted, or have variable-length parts or region references, or a value contains a
     *     reference of the kinds of HDF5 1.12
     * @throws io.skerry.exception.MemoryLimitException if the stored pairs need more memory than
     *     there is
     * @throws WrongThreadException if this thread cannot access the memory of the elements
     * @throws IllegalStateException if the file is open for reading only, or the memory of the
     *     elements was released
     */
    void put(DatasetWrite.Content keys, DatasetWrite.Content values);

    /**
     * Returns the value of a key. Local, thread-safe.
     *
     * @param key the key
     * @return the value; empty if there is no pair with this key
     * @throws IllegalArgumentException if the key does not fit its datatype or is too long
     */
    Optional<Value> get(Value key);

    /**
     * Returns the value of a key; both are represented in memory datatypes. Local, thread-safe.
     *
     * @param key the key, a single element
     * @param memory the type to which the value is converted
     * @return the value, of {@code memory.size()} bytes; empty if there is no pair with this key
     * @throws IllegalArgumentException if there is not exactly one key
     * @throws io.skerry.exception.UnsupportedFeatureException if the key or the value cannot be
     *     converted, or a type has variable-length parts or region references
     * @throws WrongThreadException if this thread cannot access the memory of the key
     * @throws IllegalStateException if the memory of the key was released
     */
    Optional<MemorySegment> get(DatasetWrite.Elements key, Datatype memory);

    /**
     * Returns whether there is a pair with the given key. Local, thread-safe.
     *
     * @param key the key
     * @return true if there is such a pair
     * @throws IllegalArgumentException if the key does not fit its datatype or is too long
     */
    boolean contains(Value key);

    /**
     * Removes a pair. Local, thread-safe.
     *
     * @param key the key
     * @return true if there was a pair with this key
     * @throws IllegalArgumentException if the key does not fit its datatype or is too long
     * @throws IllegalStateException if the file is open for reading only
     */
    boolean remove(Value key);

    /**
     * Counts the pairs. Local, thread-safe.
     *
     * @return the number of pairs
     */
    long size();

    /**
     * Visits keys, as {@link MapObject#iterateKeys} describes. Local, thread-safe.
     *
     * @param after the position; empty for the first key
     * @param visitor the receiver of the keys, which may call methods of the file
     * @return the position at which the visitor stopped; empty if all keys were visited
     * @throws RuntimeException the exception of the visitor, which ends the iteration
     */
    Optional<MapObject.Position> iterateKeys(
        Optional<MapObject.Position> after, MapObject.KeyVisitor<Value> visitor);

    /**
     * Visits pairs, as {@link MapObject#iteratePairs} describes. Local, thread-safe.
     *
     * @param after the position; empty for the first pair
     * @param visitor the receiver of the pairs, which may call methods of the file
     * @return the position at which the visitor stopped; empty if all pairs were visited
     * @throws RuntimeException the exception of the visitor, which ends the iteration
     */
    Optional<MapObject.Position> iteratePairs(
        Optional<MapObject.Position> after, MapObject.PairVisitor<Value, Value> visitor);
  }

  /**
   * Returns the path with which the object was opened or, if an external link led to it in another
   * file, a path through hard links in that file. Local, thread-safe; does not fail.
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
