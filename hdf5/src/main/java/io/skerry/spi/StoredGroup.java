package io.skerry.spi;

import io.skerry.Group;
import java.util.List;

/** A group of a connector. */
public non-sealed interface StoredGroup extends StoredObject {
  /**
   * Returns the identifier of the group, which hard links to it contain. Local, thread-safe; does
   * not fail.
   *
   * @return a number that is equal for the same group of a file
   */
  long address();

  /**
   * Returns the links of the group. Local, thread-safe.
   *
   * @return the links in the order of their names; empty if there are none
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the links are damaged
   */
  List<Group.Link> links();

  /**
   * Opens the object to which a hard link of this group leads. Local and thread-safe for groups,
   * otherwise collective.
   *
   * @param link a link of this group
   * @return the object
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the object is damaged
   */
  StoredObject child(Group.Hard link);
}
