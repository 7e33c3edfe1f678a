package io.skerry;

import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * A map from keys to values: all keys have one datatype, and all values have one datatype. HDF5
 * files cannot store maps; containers of the module {@code iod} can. {@link Group#createMap}
 * creates a map, and {@link H5File#map} opens one.
 *
 * <pre>{@code
 * var runs = file.createMap("/runs", VariableLength.string(CharacterSet.UTF8), Datatype.I64)
 *     .typed(String.class, Long.class);
 * runs.put("calibration", 17L);
 * long run = runs.get("calibration").orElseThrow();
 * }</pre>
 *
 * <p>A key or value is converted to its datatype before it is stored. Two keys are equal if their
 * stored bytes are equal: 0.0 and -0.0 differ, and so do two NaNs with different bits, whereas
 * {@code 0.1f} and {@code 0.1} are the same key if the datatype of the keys is binary32. The stored
 * bytes of a fixed-length string include the padding. Bytes between the members of a compound are
 * zero in stored keys. A variable-length string ends before its first NUL; a key that contains a
 * NUL is refused.
 *
 * <p>Creating, opening and deleting a map are collective. All other methods of this interface, and
 * those of {@link Typed}, are local and thread-safe: each rank may call them at any time, and they
 * can fail on one rank and succeed on others. If several ranks have the file open, however, only
 * the thread that opened it may call the methods that read or change pairs. A change is visible to
 * the calling rank at once, and to the other ranks after the next {@link H5File#flush}, which makes
 * it durable. If several ranks put or remove the same key between two flushes, one of their changes
 * takes effect.
 *
 * <p>The methods that read or change pairs throw {@link IllegalStateException} if the file is
 * closed, the map was deleted, or several ranks have the file open and the calling thread did not
 * open it; those that change pairs also throw it if the file is open for reading only, or an
 * earlier change or flush of the file has failed permanently. They throw {@link
 * io.skerry.exception.FormatException} with the file, the map and the key if a pair is damaged,
 * {@link io.skerry.exception.MemoryLimitException} if the memory is insufficient, and a {@link
 * RuntimeException} of the connector if the storage fails. An exception of a visitor reaches the
 * caller. A failed change has no effect, unless the storage fails: some pairs of {@code putAll} may
 * then have been stored, and the file can only be closed.
 */
public non-sealed interface MapObject extends H5Object {
  /**
   * A position between two pairs, from which an iteration can continue. It remains valid when pairs
   * are added or removed, including the pair before the position, and after the file is reopened.
   *
   * @param key the stored bytes of the key before the position
   */
  record Position(Bytes key) {}

  /** The decision of a visitor on whether the iteration continues. */
  enum Next {
    /** The next pair is visited. */
    CONTINUE,
    /** The iteration ends; it can be resumed after the last pair that was visited. */
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
     * @return the decision on whether to continue
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
     * @return the decision on whether to continue
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
   * Stores a pair, replacing the pair with the same key if there is one. The previous value is not
   * read. Local, thread-safe.
   *
   * @param key the key
   * @param value the value
   * @throws IllegalArgumentException if the key or the value does not fit its datatype, a key of
   *     variable length contains a NUL, the stored key is longer than 65,535 bytes, or the stored
   *     value is longer than 2^30-12 bytes
   * @throws io.skerry.exception.UnsupportedFeatureException if the value contains a reference of
   *     the kinds of HDF5 1.12
   * @throws IllegalStateException if the file is open for reading only
   */
  void put(Value key, Value value);

  /**
   * Stores pairs in one step, with the same result as {@link #put} for each of them. Memory use is
   * proportional to the number of pairs. Local, thread-safe.
   *
   * @param pairs the pairs; if several keys have equal stored bytes, only the last of their pairs
   *     in iteration order is stored
   * @throws IllegalArgumentException in the same cases as {@link #put}
   * @throws io.skerry.exception.UnsupportedFeatureException in the same cases as {@link #put}
   * @throws io.skerry.exception.MemoryLimitException if the stored pairs need more memory than
   *     there is
   * @throws IllegalStateException if the file is open for reading only
   */
  void putAll(Map<Value, Value> pairs);

  /**
   * Stores the pairs that two memory segments contain, in one step. Keys or values whose datatype
   * in memory equals that of the map are stored without being converted or copied. Local,
   * thread-safe.
   *
   * @param keyMemory the type of the keys in memory, from which they are converted
   * @param keys the keys, of {@code keyMemory.size()} bytes each
   * @param valueMemory the type of the values in memory, from which they are converted
   * @param values one value for each key, of {@code valueMemory.size()} bytes each
   * @throws IllegalArgumentException if the last key or value is incomplete, or there is not
   *     exactly one value for each key
   * @throws io.skerry.exception.UnsupportedFeatureException if a datatype in memory cannot be
   *     converted to the corresponding datatype of the map, or a type has variable-length parts or
   *     region references
   * @throws io.skerry.exception.MemoryLimitException if a conversion needs more memory than there
   *     is
   * @throws WrongThreadException if this thread cannot access a segment; nothing has changed
   * @throws IllegalStateException if the file is open for reading only, or the memory of a segment
   *     was released; nothing has changed
   */
  void putAll(Datatype keyMemory, MemorySegment keys, Datatype valueMemory, MemorySegment values);

  /**
   * Returns the value of a key. Local, thread-safe.
   *
   * @param key the key
   * @return the value; empty if there is no pair with this key
   * @throws IllegalArgumentException if the key does not fit its datatype, contains a NUL or is
   *     longer than 65,535 bytes, as in {@link #put}
   */
  Optional<Value> get(Value key);

  /**
   * Returns the value of a key; both are represented in memory datatypes. Local, thread-safe.
   *
   * @param keyMemory the type of the key in memory, from which it is converted
   * @param key the key, of {@code keyMemory.size()} bytes
   * @param valueMemory the type to which the value is converted
   * @return the value, of {@code valueMemory.size()} bytes; empty if there is no pair with this key
   * @throws IllegalArgumentException if the key has a different size
   * @throws io.skerry.exception.UnsupportedFeatureException if the key or the value cannot be
   *     converted between the datatypes in memory and in the map, or a type has variable-length
   *     parts or region references
   * @throws WrongThreadException if this thread cannot access the memory of the key
   * @throws IllegalStateException if the memory of the key was released
   */
  Optional<MemorySegment> get(Datatype keyMemory, MemorySegment key, Datatype valueMemory);

  /**
   * Returns the value of a key, or another value. Local, thread-safe.
   *
   * @param key the key
   * @param otherwise the value to return if there is no pair with this key
   * @return the value of the key, or {@code otherwise}
   * @throws IllegalArgumentException in the same cases as {@link #get(Value)}
   */
  default Value getOrDefault(Value key, Value otherwise) {
    return get(key).orElse(otherwise);
  }

  /**
   * Returns whether there is a pair with the given key. The value is not read. Local, thread-safe.
   *
   * @param key the key
   * @return true if there is such a pair
   * @throws IllegalArgumentException in the same cases as {@link #get(Value)}
   */
  boolean contains(Value key);

  /**
   * Removes a pair. Local, thread-safe.
   *
   * @param key the key
   * @return true if there was a pair with this key
   * @throws IllegalArgumentException in the same cases as {@link #get(Value)}
   * @throws IllegalStateException if the file is open for reading only
   */
  boolean remove(Value key);

  /**
   * Counts the pairs. No count is stored, so the running time is proportional to the number of
   * pairs; their values are not read. A pair that is added or removed during the call may or may
   * not be counted. Local, thread-safe.
   *
   * @return the number of pairs
   */
  long size();

  /**
   * Visits the keys after a position until the visitor stops. The order is fixed, but not
   * specified. A pair that exists throughout the iteration is visited exactly once; one that is
   * added or removed in the meantime may or may not be visited. Memory use is bounded: a few
   * thousand keys are read at a time. Local, thread-safe.
   *
   * @param after the position; empty for the first key
   * @param visitor the receiver of the keys
   * @return the position after the key at which the visitor stopped; empty if all keys after the
   *     position were visited and the visitor did not stop
   * @throws RuntimeException the exception of the visitor, which ends the iteration
   */
  Optional<Position> iterateKeys(Optional<Position> after, KeyVisitor<Value> visitor);

  /**
   * Visits the pairs after a position until the visitor stops, in the order of {@link
   * #iterateKeys}. Memory use is bounded: about 4 MiB of pairs, or one pair if it is larger, are
   * read at a time. Local, thread-safe.
   *
   * @param after the position; empty for the first pair
   * @param visitor the receiver of the pairs
   * @return the position after the pair at which the visitor stopped; empty if all pairs after the
   *     position were visited and the visitor did not stop
   * @throws RuntimeException the exception of the visitor, which ends the iteration
   */
  Optional<Position> iteratePairs(Optional<Position> after, PairVisitor<Value, Value> visitor);

  /**
   * Returns a view of this map with Java objects as keys and values. The following classes are
   * accepted:
   *
   * <ul>
   *   <li>{@code Long} and {@code Integer} for integers, and for the numbers of enumeration members
   *   <li>{@code Double} and {@code Float} for floating-point numbers
   *   <li>{@code String} for strings of fixed or variable length
   *   <li>{@code byte[]} for opaque types
   *   <li>{@link Value} for all types
   * </ul>
   *
   * <p>If a stored number cannot be represented as the requested {@code Long}, {@code Integer} or
   * {@code Float}, reading it throws an {@link ArithmeticException}. Local, thread-safe.
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
   * A view of a map with Java objects as keys and values. All methods are local and thread-safe,
   * convert between these objects and {@link Value}, and behave like the methods of {@link
   * MapObject} with the same names, including their exceptions. In addition, they throw the {@link
   * ArithmeticException} that {@link MapObject#typed} describes.
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
     * Returns whether there is a pair with the given key. Local, thread-safe.
     *
     * @param key the key
     * @return true if there is such a pair
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
