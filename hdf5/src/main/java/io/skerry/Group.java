package io.skerry;

import io.skerry.connector.StoredGroup;
import java.util.List;

/** A group: named links to other objects. */
public final class Group extends H5Object {
  private final StoredGroup stored;

  Group(H5File file, StoredGroup stored) {
    super(file, stored);
    this.stored = stored;
  }

  /** One link of a group. */
  public sealed interface Link {
    /** Its name within the group. */
    String name();
  }

  /**
   * A link to an object of this file.
   *
   * @param address what the file knows the object by; in an HDF5 file that of its header
   */
  public record Hard(String name, long address) implements Link {}

  /** A link to a path. */
  public record Soft(String name, String target) implements Link {}

  /** A link to a path of another file. */
  public record External(String name, String file, String target) implements Link {}

  /** A link of a kind that Skerry does not know. */
  public record Foreign(String name, int kind) implements Link {}

  /** What hard links to this group carry. Local. */
  public long address() {
    return stored.address();
  }

  /** The links in the order of their names. Local. */
  public List<Link> links() {
    return stored.links();
  }

  /**
   * The object that a hard link of this group leads to. Local for groups, collective for datasets.
   */
  public H5Object child(Hard link) {
    return of(file(), stored.child(link));
  }

  /** The path of a member. Local. */
  public String childPath(String name) {
    return path().equals("/") ? "/" + name : path() + "/" + name;
  }

  /** The path of a member as {@link #shownPath} gives it. Local. */
  public String shownChildPath(String name) {
    return stored.location().child(name).shown();
  }

  /** Creates a group in this one. Collective. */
  public Group createGroup(String name) {
    return file().createGroup(childPath(name));
  }

  /** Creates a dataset in this group. Collective. */
  public Dataset createDataset(String name, DatasetSpec spec) {
    return file().createDataset(childPath(name), spec);
  }
}
