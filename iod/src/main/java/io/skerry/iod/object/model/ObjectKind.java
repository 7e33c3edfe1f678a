package io.skerry.iod.object.model;

import io.skerry.exception.FormatException;
import io.skerry.iod.object.ObjectType;
import java.util.Arrays;

/** The kinds of objects, with the numbers of HDF5 1.12 and later (H5I_type_t). */
public enum ObjectKind {
  /** A group, or the root group of the file. */
  GROUP(2, ObjectType.KV),
  /** A committed datatype. */
  DATATYPE(3, ObjectType.BLOB),
  /** A dataset. */
  DATASET(5, ObjectType.ARRAY),
  /** A map. */
  MAP(6, ObjectType.KV),
  /** An attribute. */
  ATTRIBUTE(7, ObjectType.ARRAY);

  private final int code;
  private final ObjectType type;

  ObjectKind(int code, ObjectType type) {
    this.code = code;
    this.type = type;
  }

  /** Returns the stored number. Local, thread-safe; does not fail. */
  public int code() {
    return code;
  }

  /** Returns the type of the object that holds the content. Local, thread-safe; does not fail. */
  public ObjectType type() {
    return type;
  }

  /**
   * Returns the kind with a number.
   *
   * @throws FormatException if there is none
   */
  static ObjectKind decode(int code) {
    return Arrays.stream(values())
        .filter(kind -> kind.code == code)
        .findFirst()
        .orElseThrow(() -> new FormatException("object_type", "2, 3, 5, 6 or 7", code));
  }
}
