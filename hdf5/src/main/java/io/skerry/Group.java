package io.skerry;

import io.skerry.datatype.Datatype;
import java.util.List;

/**
 * A group: a set of named links to other objects. {@link #createGroup}, {@link #createDataset} and
 * {@link #createMap} create the object in {@link #file} at the path that {@link #childPath}
 * returns. If the group was opened through a soft link in the same file, this path leads through
 * that link.
 */
public non-sealed interface Group extends H5Object {
  /** A link in a group. Immutable; thread-safe. */
  sealed interface Link {
    /**
     * Returns the name of the link within the group. Local, thread-safe; does not fail.
     *
     * @return the name, not empty, without {@code /}
     */
    String name();
  }

  /**
   * A link to an object in this file.
   *
   * @param name the name of the link
   * @param address the identifier of the object within the file; in an HDF5 file, the address of
   *     its object header, in bytes from the base address
   */
  record Hard(String name, long address) implements Link {}

  /**
   * A link to a path in this file.
   *
   * @param name the name of the link
   * @param target the path, absolute or relative to the group; the object need not exist
   */
  record Soft(String name, String target) implements Link {}

  /**
   * A link to a path in another file.
   *
   * @param name the name of the link
   * @param file the name of the other file, as stored
   * @param target the path in the other file; the object need not exist
   */
  record External(String name, String file, String target) implements Link {}

  /**
   * A link of a user-defined kind that Skerry does not follow.
   *
   * @param name the name of the link
   * @param kind the link type in the file; 65 to 255 in HDF5
   */
  record Foreign(String name, int kind) implements Link {}

  /**
   * Returns the identifier of the group; hard links to the group contain this identifier. Local,
   * thread-safe; does not fail.
   *
   * @return the identifier within the file; in an HDF5 file, the address of the object header, in
   *     bytes from the base address
   */
  long address();

  /**
   * Returns the links of the group. Local, thread-safe.
   *
   * @return the links, sorted by name; empty if there are none
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the links are damaged
   */
  List<Link> links();

  /**
   * Opens the object to which a hard link of this group leads. Local and thread-safe for groups,
   * named datatypes and maps; collective for datasets. Each rank opens the object independently:
   * the call can fail on one rank and succeed on the others, it does not check whether the other
   * ranks make it, nor the calling thread unless the file is a container, and it is not refused
   * after a failed commit.
   *
   * @param link a link of this group, equal on all ranks if it leads to a dataset
   * @return the object
   * @throws IllegalStateException if the file is closed
   * @throws io.skerry.exception.FormatException if the object header is damaged, or the identifier
   *     in the link is not that of an object
   * @throws io.skerry.exception.UnsupportedFeatureException if the object uses a feature that
   *     Skerry does not support
   * @throws io.skerry.parallel.UntrustedFileException if the {@linkplain io.skerry.parallel.Trust
   *     policy} refuses a source of a virtual dataset
   * @throws io.skerry.parallel.CollectiveException if a source of a virtual dataset cannot be
   *     opened
   */
  H5Object child(Hard link);

  /**
   * Returns the path of a member of this group. Local, thread-safe; does not fail.
   *
   * @param name the name of a link
   * @return the path, whether or not the link exists
   */
  String childPath(String name);

  /**
   * Returns the path of a member for reports and messages, like {@link #shownPath}. Local,
   * thread-safe; does not fail.
   *
   * @param name the name of a link
   * @return the path, shortened if it is long
   */
  String shownChildPath(String name);

  /**
   * Creates a group in this group, or returns the group if it exists already. Collective.
   *
   * @param name the name of the group, equal on all ranks
   * @return the group
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is that of an object
   *     other than a group, of a soft link that leads to no group, or of an external link, the
   *     group cannot be created as in {@link H5File#createGroup(String)}, or the ranks pass
   *     different names
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  Group createGroup(String name);

  /**
   * Creates a dataset in this group. Collective.
   *
   * @param name the name of the dataset, equal on all ranks
   * @param spec the specification, equal on all ranks
   * @return the dataset
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the dataset
   *     cannot be created as in {@link H5File#createDataset}, or the ranks pass different arguments
   * @throws io.skerry.parallel.CommitException on all ranks if space is allocated {@linkplain
   *     DatasetSpec.Allocation#EARLY early} and the commit of a flush fails
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  Dataset createDataset(String name, DatasetSpec spec);

  /**
   * Creates a map without pairs in this group. Collective.
   *
   * @param name the name of the map, equal on all ranks
   * @param key the datatype of the keys, equal on all ranks
   * @param value the datatype of the values, equal on all ranks
   * @return the map
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken, the map
   *     cannot be created as in {@link H5File#createMap}, or the ranks pass different arguments
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  MapObject createMap(String name, Datatype key, Datatype value);
}
