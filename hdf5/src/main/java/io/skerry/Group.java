package io.skerry;

import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.object.LinkTarget;
import io.skerry.value.Value;
import java.util.Comparator;
import java.util.List;

/** A group: named links to other objects. */
public final class Group implements H5Object {
  private final H5File file;
  private final String path;
  private final long address;

  Group(H5File file, String path, long address) {
    this.file = file;
    this.path = path;
    this.address = address;
  }

  /** One link of a group. */
  public sealed interface Link {
    /** Its name within the group. */
    String name();
  }

  /** A link to an object of this file. */
  public record Hard(String name, long address) implements Link {}

  /** A link to a path. */
  public record Soft(String name, String target) implements Link {}

  /** A link to a path of another file. */
  public record External(String name, String file, String target) implements Link {}

  /** A link of a kind that Skerry does not know. */
  public record Foreign(String name, int kind) implements Link {}

  @Override
  public String path() {
    return path;
  }

  /** The file that it is in: another one behind an external link. Local. */
  public H5File file() {
    return file;
  }

  /** Address of its header, by which hard links name it. Local. */
  public long address() {
    return address;
  }

  /** The links in the order of their names. Local. */
  public List<Link> links() {
    return file.tree().links(address).stream()
        .map(Group::view)
        .sorted(Comparator.comparing(Link::name))
        .toList();
  }

  /**
   * The object that a hard link of this group leads to. Local for groups, collective for datasets.
   */
  public H5Object child(Hard link) {
    return ObjectKinds.at(file, childPath(link.name()), link.address());
  }

  /** The path of a member. Local. */
  public String childPath(String name) {
    return path.equals("/") ? "/" + name : path + "/" + name;
  }

  /** Creates a group in this one. Collective. */
  public Group createGroup(String name) {
    return file.createGroup(childPath(name));
  }

  /** Creates a dataset in this group. Collective. */
  public Dataset createDataset(String name, DatasetSpec spec) {
    return file.createDataset(childPath(name), spec);
  }

  @Override
  public List<Attribute> attributes() {
    return Attributes.of(file, address);
  }

  /** Sets or replaces an attribute. Collective. */
  public void setAttribute(Attribute attribute) {
    Attributes.set(file, path, address, attribute);
  }

  /**
   * Sets or replaces an attribute of any type, with content of variable length and references.
   * Collective; the same on all ranks.
   *
   * @param values one per element, row-major
   */
  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    Attributes.set(file, path, address, name, type, shape, values);
  }

  /** Removes an attribute. Collective. */
  public void deleteAttribute(String name) {
    Attributes.delete(file, path, address, name);
  }

  /** Gives an attribute another name. Collective. */
  public void renameAttribute(String from, String to) {
    Attributes.rename(file, path, address, from, to);
  }

  private static Link view(LinkMessage link) {
    return switch (link.target()) {
      case LinkTarget.Hard(long target) -> new Hard(link.name(), target);
      case LinkTarget.Soft(String target) -> new Soft(link.name(), target);
      case LinkTarget.External(String other, String target) ->
          new External(link.name(), other, target);
      case LinkTarget.UserDefined(int kind, _) -> new Foreign(link.name(), kind);
    };
  }
}
