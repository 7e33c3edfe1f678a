package io.skerry.format.message.group;

import io.skerry.format.Bytes;

/** Target of a link. */
public sealed interface LinkTarget {
  /**
   * An object in the same file.
   *
   * @param address the address of its object header
   */
  record Hard(long address) implements LinkTarget {}

  /**
   * The path of an object in the same file; the object need not exist.
   *
   * @param path an absolute path, or one relative to the group
   */
  record Soft(String path) implements LinkTarget {}

  /**
   * The path of an object in another file.
   *
   * @param file the file name
   * @param path the path of the object in that file, starting at its root group
   */
  record External(String file, String path) implements LinkTarget {}

  /**
   * The target of a user-defined link.
   *
   * @param linkClass the link class, 65 to 255
   * @param data the bytes that the link class stored
   */
  record UserDefined(int linkClass, Bytes data) implements LinkTarget {}
}
