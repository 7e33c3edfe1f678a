package io.skerry.format.message.group;

import io.skerry.format.Bytes;

/** What a link points to. */
public sealed interface LinkTarget {
  /**
   * An object in this file.
   *
   * @param address its object header
   */
  record Hard(long address) implements LinkTarget {}

  /**
   * A path in this file, which need not exist.
   *
   * @param path absolute, or relative to the group
   */
  record Soft(String path) implements LinkTarget {}

  /**
   * A path in another file.
   *
   * @param file its name
   * @param path absolute path of the object there
   */
  record External(String file, String path) implements LinkTarget {}

  /**
   * A link of a class that a user registered.
   *
   * @param linkClass 65 to 255
   * @param data what the class wrote
   */
  record UserDefined(int linkClass, Bytes data) implements LinkTarget {}
}
