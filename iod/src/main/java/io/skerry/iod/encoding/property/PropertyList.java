package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A property list in the form of {@code H5Pencode}. The order of the properties has no meaning; the
 * HDF5 library writes those first whose values were set. Two lists are equal if they have the same
 * class and the same values, in any order. A property that is absent has its default value.
 * Immutable.
 *
 * <pre>
 *  0     1       2
 * +-----+-------+---------------------------+-----+
 * | 00  | class | properties                | 00  |
 * |vers.| u8    | name, 00, value           | end |
 * +-----+-------+---------------------------+-----+
 * </pre>
 *
 * <p>Values have no length, so a list with an unknown property cannot be decoded.
 *
 * <p>Source: property lists encoded by HDF5 1.10.8, 1.14.3 and 2.0.0.
 *
 * @param kind the class of the list
 * @param properties the properties in the order of the encoding, each at most once
 */
public record PropertyList(PropertyClass kind, List<Property<?>> properties) {
  private static final int VERSION = 0;

  /** The maximum number of characters of an unknown name in a message. */
  private static final int SHOWN_NAME = 64;

  /**
   * Creates a list. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a property occurs twice, or does not belong to the class
   */
  public PropertyList {
    properties = List.copyOf(properties);
    Set<String> names = new HashSet<>();
    for (Property<?> property : properties) {
      if (!kind.has(property.key()) || !names.add(property.key().name())) {
        throw new IllegalArgumentException(
            "property occurs twice or is not of this class: property="
                + property.key()
                + " class="
                + kind);
      }
    }
  }

  /**
   * Returns a list of properties. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a property occurs twice, or does not belong to the class
   */
  public static PropertyList of(PropertyClass kind, Property<?>... properties) {
    return new PropertyList(kind, List.of(properties));
  }

  /**
   * Returns the value of a property; empty if the list does not have it, which means the default.
   * Local, thread-safe; does not fail.
   */
  public <T> Optional<T> find(PropertyKey<T> key) {
    return properties.stream().flatMap(property -> property.valueOf(key).stream()).findFirst();
  }

  /**
   * Encodes the list. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the encoding cannot represent a value
   */
  public byte[] encode() {
    ByteWriter out = ByteWriter.create().u8(VERSION).u8(kind.code());
    properties.forEach(property -> property.encode(out));
    return out.u8(0).toArray();
  }

  /**
   * Decodes a list. Local, thread-safe.
   *
   * @param bytes the encoded list and nothing else
   * @throws FormatException if the bytes are not an encoded list, or a property does not belong to
   *     the class of the list or occurs twice
   * @throws UnsupportedFeatureException if the class or a property is unknown
   */
  public static PropertyList decode(MemorySegment bytes) {
    ByteReader in = ByteReader.of(bytes, "property list");
    in.expect("encoding version", VERSION, in.u8());
    PropertyClass kind = PropertyClass.decode(in);
    List<Property<?>> properties = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String name = in.textToNul(); !name.isEmpty(); name = in.textToNul()) {
      PropertyKey<?> key = key(kind, name, in);
      if (!names.add(name)) {
        throw in.fault("occurrences of property " + name, 1, "more");
      }
      properties.add(property(key, in));
    }
    in.expect("bytes after the property list", 0, in.remaining());
    return new PropertyList(kind, properties);
  }

  private static PropertyKey<?> key(PropertyClass kind, String name, ByteReader in) {
    Optional<PropertyKey<?>> key = kind.find(name);
    if (key.isPresent()) {
      return key.get();
    }
    String shown = name.substring(0, Math.min(name.length(), SHOWN_NAME));
    if (PropertyClass.isKnown(name)) {
      throw in.fault("property of class " + kind, "a property of this class", shown);
    }
    throw new UnsupportedFeatureException("property " + shown, "property list of class " + kind);
  }

  private static Property<?> property(PropertyKey<?> key, ByteReader in) {
    try {
      return Property.decode(key, in);
    } catch (FormatException e) {
      throw e.inPart("property " + key);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PropertyList that
        && kind == that.kind
        && Set.copyOf(properties).equals(Set.copyOf(that.properties));
  }

  @Override
  public int hashCode() {
    return kind.hashCode() * 31 + Set.copyOf(properties).hashCode();
  }
}
