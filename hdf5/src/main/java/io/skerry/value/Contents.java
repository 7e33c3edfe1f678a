package io.skerry.value;

import java.util.Optional;

/**
 * What the elements of one file refer to: contents of variable length and other objects. For {@link
 * io.skerry.Attribute#values}. Local.
 */
public interface Contents {
  /** Name of the file, for errors. */
  String fileName();

  /** Bytes in the file. */
  long fileSize();

  /**
   * The path of the object with its header at an address: the first that a depth-first walk along
   * hard links, in the order links are stored, comes to; empty if none leads to it.
   */
  Optional<String> pathOf(long address);

  /** Returns whether the header of an object can be read at an address. */
  boolean isObject(long address);
}
