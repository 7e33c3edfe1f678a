package io.skerry;

import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * A map: pairs of a key and a value, each of one datatype. HDF5 files cannot store maps; containers
 * of the module {@code iod} can. {@link Group#createMap} creates a map, {@link H5File#map} opens
 * it.
 *
 * <pre>{@code
 * var runs = file.createMap("/runs", VariableLength.string(CharacterSet.UTF8), Datatype.I64)
 *     .typed(String.class, Long.class);
 * runs.put("calibration", 17L);
 * long run = runs.get("calibration").orElseThrow();
 * }</pre>
 *
 * <p>A key or value is converted to its datatype before it is stored. Two keys are equal if their
 * stored bytes are: 0.0 and -0.0 differ, and so do two NaNs with different bits, whereas {@code
 * 0.1f} and {@code 0.1} are one key if the keys are binary32. Of a string of fixed length, the
 * stored bytes include the padding. Bytes between the members of a compound are zero in stored
 * keys. A variable-length string ends before its first NUL; a key with a NUL is refused.
 *
 * <p>Creating, opening and deleting a map are collective. All other methods of this interface, and
 * those of {@link Typed}, are local and thread-safe: each rank calls them whenever it wants, and
 * they can fail on one rank and succeed on others. If several ranks have the file open, however,
 * only the thread that opened it may call the methods that read or change pairs. A change is
 * visible to the calling rank at once, and to the other ranks after the next {@link H5File#flush},
 * which makes it durable. If several ranks put or remove the same key between two flushes, one of
 * their changes takes effect.
 *
 * <p>The local methods throw {@link IllegalStateException} if the file is closed, the map was
 * deleted, several ranks have the file open and another thread opened it, or an earlier change or
 * flush of the file has failed for good; {@link io.skerry.exception.FormatException} with the file,
 * the map and the key if a pair is damaged; and an exception of the connector if the storage fails.
 * After a failed change, nothing has changed, except if the storage fails: some pairs of {@code
 * putAll} may then have been stored, and the file can only be closed.
 */
public non-sealed interface MapObject extends H5Object {
  /**
   * A position between two pairs, from which an iteration continues. It remains valid when pairs
   * are added or removed, including the pair before the position, and after the file is reopened.
   *
   * @param key the stored bytes of the key before the position
   */
  record Position(Bytes key) {}

  /** The decision of a visitor whether the iteration continues. */
  enum Next {
    /** The next pair is visited. */
    CONTINUE,
    /** The iteration ends; it can be resumed after the pair that was visited last. */
    STOP
  }

  /**
   * Receives the keys of an iteration.
   *
   * @param <K> the type of the keys
   */
  @FunctionalInterface
  interface KeyVisitor<K> {
    /**
     * Receives a key. May call methods of the file.
     *
     * @param key the key
     * @return whether to continue
     */
    Next visit(K key);
  }

  /**
   * Receives the pairs of an iteration.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   */
  @FunctionalInterface
  interface PairVisitor<K, V> {
    /**
     * Receives a pair. May call methods of the file.
     *
     * @param key the key
     * @param value the value
     * @return whether to continue
     */
    Next visit(K key, V value);
  }

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
   * Stores a pair, in place of the pair with the same key if there is one. The value before is not
   * read. Local, thread-safe.
   *
   * @param key the key
   * @param value the value
   * @throws IllegalArgumentException if the key or the value does not fit its datatype, the stored
   *     key is longer than 65,535 bytes, or the stored value is longer than 2^30-12 bytes
   * @throws IllegalStateException if the file is open for reading only
   */
  void put(Value key, Value value);

  /**
   * Stores pairs in one step, like {@link #put} for each of them. The memory that this needs is
   * proportional to the number of pairs. Local, thread-safe.
   *
   * @param pairs the pairs; if keys are equal as stored, the last one in the order of iteration is
   *     stored
   * @throws IllegalArgumentException as {@link #put}
   * @throws IllegalStateException if the file is open for reading only
   */
  void putAll(Map<Value, Value> pairs);

  /**
   * Stores pairs in memory in one step. If a datatype in memory is that of the map, the elements
   * are stored without a conversion or a copy. Local, thread-safe.
   *
   * @param keyMemory the type of the keys in memory, from which they are converted
   * @param keys the keys, of {@code keyMemory.size()} bytes each
   * @param valueMemory the type of the values in memory, from which they are converted
   * @param values one value for each key, of {@code valueMemory.size()} bytes each
   * @throws IllegalArgumentException if there is a part of a key, or not one value for each key
   * @throws io.skerry.exception.UnsupportedFeatureException if there is no conversion between two
   *     types, or a type has variable-length or reference parts
   * @throws IllegalStateException if the file is open for reading only
   */
  void putAll(Datatype keyMemory, MemorySegment keys, Datatype valueMemory, MemorySegment values);

  /**
   * Returns the value of a key. Local, thread-safe.
   *
   * @param key the key
   * @return the value; empty if there is no pair with this key
   * @throws IllegalArgumentException if the key does not fit its datatype
   */
  Optional<Value> get(Value key);

  /**
   * Returns the value of a key in memory. Local, thread-safe.
   *
   * @param keyMemory the type of the key in memory, from which it is converted
   * @param key the key, of {@code keyMemory.size()} bytes
   * @param valueMemory the type to which the value is converted
   * @return the value, of {@code valueMemory.size()} bytes; empty if there is no pair with this key
   * @throws IllegalArgumentException if the key has another size
   * @throws io.skerry.exception.UnsupportedFeatureException if there is no conversion between two
   *     types, or a type has variable-length or reference parts
   */
  Optional<MemorySegment> get(Datatype keyMemory, MemorySegment key, Datatype valueMemory);

  /**
   * Returns the value of a key, or another value. Local, thread-safe.
   *
   * @param key the key
   * @param otherwise the value to return if there is no pair with this key
   * @return the value of the key, or {@code otherwise}
   * @throws IllegalArgumentException if the key does not fit its datatype
   */
  default Value getOrDefault(Value key, Value otherwise) {
    return get(key).orElse(otherwise);
  }

  /**
   * Returns whether there is a pair with a key. The value is not read. Local, thread-safe.
   *
   * @param key the key
   * @return true if there is one
   * @throws IllegalArgumentException if the key does not fit its datatype
   */
  boolean contains(Value key);

  /**
   * Removes a pair. Local, thread-safe.
   *
   * @param key the key
   * @return true if there was a pair with this key
   * @throws IllegalArgumentException if the key does not fit its datatype
   * @throws IllegalStateException if the file is open for reading only
   */
  boolean remove(Value key);

  /**
   * Counts the pairs. No count is stored, so the time is proportional to the number of pairs; their
   * values are not read. A pair that is added or removed meanwhile may be counted or not. Local,
   * thread-safe.
   *
   * @return the number of pairs
   */
  long size();

  /**
   * Visits the keys after a position until the visitor stops. The order is fixed, but not
   * specified. A pair that exists all the time is visited exactly once; one that is added or
   * removed meanwhile may be visited or not. The memory is bounded: a few thousand keys are read at
   * a time. Local, thread-safe.
   *
   * @param after the position; empty for the first key
   * @param visitor the receiver of the keys
   * @return the position after the key at which the visitor stopped; empty if all keys after the
   *     position were visited and the visitor has not stopped
   */
  Optional<Position> iterateKeys(Optional<Position> after, KeyVisitor<Value> visitor);

  /**
   * Visits the pairs after a position until the visitor stops, in the order of {@link
   * #iterateKeys}. The memory is bounded: about 4 MiB of pairs, or one pair if it is larger, are
   * read at a time. Local, thread-safe.
   *
   * @param after the position; empty for the first pair
   * @param visitor the receiver of the pairs
   * @return the position after the pair at which the visitor stopped; empty if all pairs after the
   *     position were visited and the visitor has not stopped
   */
  Optional<Position> iteratePairs(Optional<Position> after, PairVisitor<Value, Value> visitor);

  /**
   * Returns this map with keys and values as objects of Java. The following classes are accepted:
   *
   * <ul>
   *   <li>{@code Long} and {@code Integer} for integers, and for enumerations as their number
   *   <li>{@code Double} and {@code Float} for floating-point numbers
   *   <li>{@code String} for strings of fixed or variable length
   *   <li>{@code byte[]} for opaque types, as values only
   *   <li>{@link Value} for all types
   * </ul>
   *
   * <p>An {@code Integer} or {@code Float} that is read is checked: a stored number that it cannot
   * represent causes an {@link ArithmeticException}. Local, thread-safe.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param key the class of the keys
   * @param value the class of the values
   * @return a view of this map
   * @throws IllegalArgumentException if a class does not fit its datatype
   */
  <K, V> Typed<K, V> typed(Class<K> key, Class<V> value);

  /**
   * A view of a map with keys and values as objects of Java. All methods are local and thread-safe,
   * convert between these objects and {@link Value}, and behave like the methods of {@link
   * MapObject} with the same names.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   */
  interface Typed<K, V> {
    /**
     * Returns the map. Local, thread-safe; does not fail.
     *
     * @return the map
     */
    MapObject map();

    /**
     * Stores a pair, like {@link MapObject#put}. Local, thread-safe.
     *
     * @param key the key
     * @param value the value
     */
    void put(K key, V value);

    /**
     * Stores pairs in one step, like {@link MapObject#putAll(Map)}. Local, thread-safe.
     *
     * @param pairs the pairs
     */
    void putAll(Map<? extends K, ? extends V> pairs);

    /**
     * Returns the value of a key, like {@link MapObject#get(Value)}. Local, thread-safe.
     *
     * @param key the key
     * @return the value; empty if there is no pair with this key
     */
    Optional<V> get(K key);

    /**
     * Returns the value of a key, or another value. Local, thread-safe.
     *
     * @param key the key
     * @param otherwise the value to return if there is no pair with this key
     * @return the value of the key, or {@code otherwise}
     */
    default V getOrDefault(K key, V otherwise) {
      return get(key).orElse(otherwise);
    }

    /**
     * Returns whether there is a pair with a key. Local, thread-safe.
     *
     * @param key the key
     * @return true if there is one
     */
    boolean contains(K key);

    /**
     * Removes a pair, like {@link MapObject#remove}. Local, thread-safe.
     *
     * @param key the key
     * @return true if there was a pair with this key
     */
    boolean remove(K key);

    /**
     * Visits keys, like {@link MapObject#iterateKeys}. Local, thread-safe.
     *
     * @param after the position; empty for the first key
     * @param visitor the receiver of the keys
     * @return the position at which the visitor stopped; empty if all keys were visited
     */
    Optional<Position> iterateKeys(Optional<Position> after, KeyVisitor<K> visitor);

    /**
     * Visits pairs, like {@link MapObject#iteratePairs}. Local, thread-safe.
     *
     * @param after the position; empty for the first pair
     * @param visitor the receiver of the pairs
     * @return the position at which the visitor stopped; empty if all pairs were visited
     */
    Optional<Position> iteratePairs(Optional<Position> after, PairVisitor<K, V> visitor);
  }
}
