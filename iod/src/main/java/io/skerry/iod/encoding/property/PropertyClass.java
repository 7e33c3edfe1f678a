package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.UnsupportedFeatureException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The classes of property lists of the HDF5 library, and the properties that each may have. */
public enum PropertyClass {
  ROOT(1, List.of()),
  OBJECT_CREATE(2, List.of(CreationProperties.OBJECT)),
  FILE_CREATE(3, List.of(CreationProperties.OBJECT, CreationProperties.GROUP, FileProperties.ALL)),
  FILE_ACCESS(4, List.of(AccessProperties.FILE)),
  DATASET_CREATE(5, List.of(CreationProperties.OBJECT, CreationProperties.DATASET)),
  DATASET_ACCESS(6, List.of(AccessProperties.LINK, AccessProperties.DATASET)),
  DATASET_TRANSFER(7, List.of(TransferProperties.TRANSFER)),
  FILE_MOUNT(8, List.of()),
  GROUP_CREATE(9, List.of(CreationProperties.OBJECT, CreationProperties.GROUP)),
  GROUP_ACCESS(10, List.of(AccessProperties.LINK)),
  DATATYPE_CREATE(11, List.of(CreationProperties.OBJECT)),
  DATATYPE_ACCESS(12, List.of(AccessProperties.LINK)),
  STRING_CREATE(13, List.of(CreationProperties.STRING)),
  ATTRIBUTE_CREATE(14, List.of(CreationProperties.STRING)),
  OBJECT_COPY(15, List.of(TransferProperties.COPY)),
  LINK_CREATE(16, List.of(CreationProperties.STRING, CreationProperties.LINK)),
  LINK_ACCESS(17, List.of(AccessProperties.LINK)),
  ATTRIBUTE_ACCESS(18, List.of(AccessProperties.LINK)),
  CONNECTOR_INITIALIZE(19, List.of()),
  MAP_CREATE(20, List.of(CreationProperties.OBJECT)),
  MAP_ACCESS(21, List.of(AccessProperties.LINK, AccessProperties.MAP)),
  REFERENCE_ACCESS(22, List.of(AccessProperties.FILE));

  private final int code;
  private final Map<String, PropertyKey<?>> byName;

  PropertyClass(int code, List<List<PropertyKey<?>>> keys) {
    this.code = code;
    byName =
        keys.stream()
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableMap(PropertyKey::name, key -> key));
  }

  /** Returns the number of the class in the encoding. Local, thread-safe; does not fail. */
  public int code() {
    return code;
  }

  /**
   * Decodes a class from its number.
   *
   * @throws UnsupportedFeatureException if there is no class with the number
   */
  static PropertyClass decode(ByteReader in) {
    int code = in.u8();
    return Arrays.stream(values())
        .filter(kind -> kind.code == code)
        .findFirst()
        .orElseThrow(
            () -> new UnsupportedFeatureException("property list class " + code, in.structure()));
  }

  /** Returns the property with a name; empty if lists of this class do not have it. */
  Optional<PropertyKey<?>> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  boolean has(PropertyKey<?> key) {
    return key.equals(byName.get(key.name()));
  }

  /** Returns whether lists of any class have a property with the name. */
  static boolean isKnown(String name) {
    return Arrays.stream(values()).anyMatch(kind -> kind.byName.containsKey(name));
  }
}
