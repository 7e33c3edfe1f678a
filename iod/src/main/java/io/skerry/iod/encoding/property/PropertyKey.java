package io.skerry.iod.encoding.property;

/**
 * The name of a property and the encoding of its values. Immutable; the constants are in {@link
 * CreationProperties}, {@link FileProperties}, {@link AccessProperties} and {@link
 * TransferProperties}.
 *
 * @param <T> the type of the value
 */
public final class PropertyKey<T> {
  private final String name;
  private final ValueCodec<T> codec;

  PropertyKey(String name, ValueCodec<T> codec) {
    this.name = name;
    this.codec = codec;
  }

  /** Returns the name of the property in the HDF5 library. Local, thread-safe; does not fail. */
  public String name() {
    return name;
  }

  /** Returns the encoding of the value. */
  ValueCodec<T> codec() {
    return codec;
  }

  @Override
  public String toString() {
    return name;
  }
}
