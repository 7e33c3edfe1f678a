package io.skerry.value;

import java.util.Optional;

/**
 * Access to the objects and variable-length values to which elements of one file refer. Used by
 * {@link io.skerry.Attribute#values}. All methods are local. In a container, an address is the
 * identifier of an object; the methods that read the container throw a {@link RuntimeException} of
 * the connector if the storage fails, and an {@link IllegalStateException} if several ranks have it
 * open and another thread opened it.
 */
public interface Contents {
  /**
   * Returns the name of the file, for error messages. Local, thread-safe; does not fail.
   *
   * @return the path with which the file was opened
   */
  String fileName();

  /**
   * Returns the number of bytes from the base address of the file to its end. Local, thread-safe.
   *
   * @return the size in bytes; in a container, it may be that of an earlier call, even after the
   *     file is closed
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.mpi.MpiException if the size cannot be read
   */
  long fileSize();

  /**
   * Finds the path of the object whose header is at the given address. Local, thread-safe.
   *
   * @param address the address of the object header, in bytes from the base address of the file
   * @return the first path found by a depth-first traversal of the hard links, shortened if it is
   *     long; empty if no hard link leads to the object. The traversal of a flushed file visits
   *     links in dense storage in the order of their name index, and other links in stored order.
   *     It skips groups whose links are damaged, use an unsupported feature or do not fit into
   *     memory
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   */
  Optional<String> pathOf(long address);

  /**
   * Returns whether the header of an object can be read at the given address. Local, thread-safe.
   *
   * @param address the address of the object header, in bytes from the base address of the file
   * @return true if the header can be decoded and contains messages; false if it is damaged, has no
   *     messages, uses an unsupported feature or does not fit into memory
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   */
  boolean isObject(long address);
}
