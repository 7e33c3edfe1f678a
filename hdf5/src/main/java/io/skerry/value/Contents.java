package io.skerry.value;

import java.util.Optional;

/**
 * Access to the objects and variable-length contents that elements of one file refer to. Used by
 * {@link io.skerry.Attribute#values}. All methods are local.
 */
public interface Contents {
  /** Returns the name of the file, for error messages. Local, thread-safe; does not fail. */
  String fileName();

  /**
   * Returns the size of the file in bytes. Local, thread-safe.
   *
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.mpi.MpiException if the size cannot be read
   */
  long fileSize();

  /**
   * Finds the path of the object whose header is at an address. Local, thread-safe.
   *
   * @param address address of the object header, in bytes from the start of the file
   * @return the first path that a depth-first traversal of the hard links finds, in their stored
   *     order; empty if no hard link leads to the object
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the links of a group are damaged
   */
  Optional<String> pathOf(long address);

  /**
   * Returns whether the header of an object can be read at an address. Local, thread-safe.
   *
   * @param address address of the object header, in bytes from the start of the file
   * @return true if the header can be read
   * @throws IllegalStateException if the file is closed
   */
  boolean isObject(long address);
}
