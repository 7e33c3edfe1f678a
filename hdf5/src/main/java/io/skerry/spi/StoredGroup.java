package io.skerry.spi;

import io.skerry.Group;
import java.util.List;

/**
 * A group that a connector stores under a path. All methods, even the collective calls of {@link
 * #child}, fail on each rank independently and throw the exceptions that {@link StoredFile} lists
 * for local methods. A connector need not refuse them after a failed commit.
 */
public non-sealed interface StoredGroup extends StoredObject {
  /**
   * Returns the identifier of the group; hard links to the group contain this identifier. Local,
   * thread-safe; does not fail.
   *
   * @return a number that identifies the group within its file
   */
  long address();

  /**
   * Returns the links of the group. Local, thread-safe.
   *
   * @return the links, sorted by name; empty if there are none
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the links are damaged
   */
  List<Group.Link> links();

  /**
   * Opens the object to which a hard link of this group leads. Local and thread-safe for groups,
   * named datatypes and maps; collective for datasets. Each rank opens the object independently:
   * the call can fail on one rank and succeed on the others, and does not check whether the other
   * ranks make it. Only a container that several ranks have open checks the calling thread.
   *
   * @param link a link of this group, equal on all ranks if it leads to a dataset
   * @return the object
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the object is damaged
   * @throws io.skerry.exception.UnsupportedFeatureException if the object uses an unsupported
   *     feature
   * @throws io.skerry.parallel.UntrustedFileException if the {@linkplain io.skerry.parallel.Trust
   *     policy} refuses a source of a virtual dataset
   * @throws io.skerry.parallel.CollectiveException if a source of a virtual dataset cannot be
   *     opened
   */
  StoredObject child(Group.Hard link);
}
