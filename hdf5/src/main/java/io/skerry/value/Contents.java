package io.skerry.value;

import java.util.Optional;

/**
 * Access to the objects and variable-length contents that elements of one file refer to. Used by
 * {@link io.skerry.Attribute#values}. Local.
 */
public interface Contents {
  /** Name of the file, for errors. */
  String fileName();

  /** Bytes in the file. */
  long fileSize();

  /**
   * Finds the path of the object with its header at an address.
   *
   * @param address of the object header, in bytes from the start of the file
   * @return the first path in a depth-first walk along hard links, in their stored order; empty if
   *     no hard link leads to the object
   */
  Optional<String> pathOf(long address);

  /** Returns whether the header of an object can be read at an address. */
  boolean isObject(long address);
}
