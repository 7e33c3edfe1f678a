package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.util.Optional;

/**
 * A property and its value. Immutable.
 *
 * @param <T> the type of the value
 * @param key the property
 * @param value the value
 */
public record Property<T>(PropertyKey<T> key, T value) {
  /** Returns a property with a value. Local, thread-safe; does not fail. */
  public static <T> Property<T> of(PropertyKey<T> key, T value) {
    return new Property<>(key, value);
  }

  /** Decodes the value of a property. */
  static <T> Property<T> decode(PropertyKey<T> key, ByteReader in) {
    return of(key, key.codec().decode(in));
  }

  /**
   * Appends the name and the value.
   *
   * @throws IllegalArgumentException if the encoding cannot represent the value
   */
  void encode(ByteWriter out) {
    Scalars.terminated(key.name(), out);
    key.codec().encode(value, out);
  }

  /** Returns the value if this is the given property. */
  @SuppressWarnings("unchecked") // equal keys are the same object and have values of one type
  <U> Optional<U> valueOf(PropertyKey<U> wanted) {
    return key.equals(wanted) ? Optional.of((U) value) : Optional.empty();
  }

  @Override
  public String toString() {
    return key + "=" + value;
  }
}
