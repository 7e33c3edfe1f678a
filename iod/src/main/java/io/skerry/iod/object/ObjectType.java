package io.skerry.iod.object;

/** The types of objects. The ordinals are stored in identifiers. */
public enum ObjectType {
  /** A key-value object: pairs in the order of their keys. */
  KV,
  /** An array object: tiles with numbers. */
  ARRAY,
  /** A BLOB object: a sequence of bytes. */
  BLOB
}
