package io.skerry.iod.object.model;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;

/**
 * The datatypes of a map, and the form of its pairs:
 *
 * <pre>
 * type                        stored key or value
 * fixed size                  the element
 * string of variable length   its bytes without NUL; the empty string as a key: one zero byte
 * sequence                    its elements
 * with such parts             the element and the content of its parts, in the form of
 *                             {@link io.skerry.chunk.content.PackedContent}; values only
 * </pre>
 *
 * <p>The content of a pair is thus in the pair, not in BLOBs: a pair is replaced without reading
 * it. Immutable.
 *
 * @param key the datatype of the keys
 * @param value the datatype of the values
 */
public record MapTypes(Datatype key, Datatype value) {
  /**
   * Reads the datatypes of a map. Local.
   *
   * @throws FormatException if they are missing or damaged, or a map cannot have them
   */
  public static MapTypes read(Metadata metadata) {
    MapTypes types =
        new MapTypes(
            metadata.datatype(MetadataKey.MAP_KEYTYPE), metadata.datatype(MetadataKey.MAP_VALTYPE));
    if (types.key.size() < 1 || types.value.size() < 1) {
      throw new FormatException("datatypes of a map", "elements of at least 1 byte", 0);
    }
    return types;
  }

  /**
   * Checks the size of a stored key. Local, thread-safe.
   *
   * @param size the size in bytes
   * @throws FormatException if no key has this size
   */
  public void requireKey(long size) {
    require(key, "bytes of a key", size);
  }

  /**
   * Checks the size of a stored value. Local, thread-safe.
   *
   * @param size the size in bytes
   * @throws FormatException if no value has this size
   */
  public void requireValue(long size) {
    require(value, "bytes of a value", size);
  }

  private static void require(Datatype type, String what, long size) {
    if (type instanceof VariableLength variable) {
      int base = variable.kind() == VariableLength.Kind.STRING ? 1 : variable.base().size();
      if (size % base != 0) {
        throw new FormatException(what, "a multiple of " + base, size);
      }
    } else if (CellPart.of(type).isEmpty()) {
      if (size != type.size()) {
        throw new FormatException(what, type.size(), size);
      }
    } else if (size < type.size()) {
      throw new FormatException(what, "at least " + type.size(), size);
    }
  }
}
