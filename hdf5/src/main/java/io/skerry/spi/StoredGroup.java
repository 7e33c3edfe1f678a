package io.skerry.spi;

import io.skerry.Group;
import java.util.List;

/** A group as a connector keeps it. */
public non-sealed interface StoredGroup extends StoredObject {
  /** Token of the group that hard links carry: equal for the same group of a file. Local. */
  long address();

  /** The links in the order of their names. Local. */
  List<Group.Link> links();

  /** The object that a hard link of this group leads to. Local for groups, else collective. */
  StoredObject child(Group.Hard link);
}
