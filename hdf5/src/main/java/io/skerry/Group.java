package io.skerry;

import java.util.List;

/** A group: named links to other objects. */
public non-sealed interface Group extends H5Object {
  /** One link of a group. */
  sealed interface Link {
    /** Its name within the group. */
    String name();
  }

  /**
   * A link to an object of this file.
   *
   * @param address what the file knows the object by; in an HDF5 file that of its header
   */
  record Hard(String name, long address) implements Link {}

  /** A link to a path. */
  record Soft(String name, String target) implements Link {}

  /** A link to a path of another file. */
  record External(String name, String file, String target) implements Link {}

  /** A link of a kind that Skerry does not know. */
  record Foreign(String name, int kind) implements Link {}

  /** What hard links to this group carry. Local. */
  long address();

  /** The links in the order of their names. Local. */
  List<Link> links();

  /**
   * The object that a hard link of this group leads to. Local for groups, collective for datasets.
   */
  H5Object child(Hard link);

  /** The path of a member. Local. */
  String childPath(String name);

  /** The path of a member as {@link #shownPath} gives it. Local. */
  String shownChildPath(String name);

  /** Creates a group in this one. Collective. */
  Group createGroup(String name);

  /** Creates a dataset in this group. Collective. */
  Dataset createDataset(String name, DatasetSpec spec);
}
