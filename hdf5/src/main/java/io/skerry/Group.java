package io.skerry;

import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.format.object.LinkInfoMessage;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.object.LinkTarget;
import io.skerry.format.object.ObjectHeader;
import io.skerry.format.object.SymbolTableMessage;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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

  /** Address of its header, by which hard links name it. Local. */
  public long address() {
    return address;
  }

  /** The links in the order of their names. Local. */
  public List<Link> links() {
    return messages(file, address).stream()
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
    return Attributes.of(file.tree().header(address));
  }

  /** Sets or replaces an attribute. Collective. */
  public void setAttribute(Attribute attribute) {
    Attributes.set(file, path, address, attribute);
  }

  static Optional<LinkMessage> link(H5File file, long address, String name) {
    return messages(file, address).stream().filter(l -> l.name().equals(name)).findFirst();
  }

  private static List<LinkMessage> messages(H5File file, long address) {
    ObjectHeader header = file.tree().header(address);
    String where = "group at 0x" + Long.toHexString(address) + " of " + file.path();
    for (LinkInfoMessage info : header.all(LinkInfoMessage.class)) {
      if (info.isDense()) {
        throw new UnsupportedFeatureException("links in dense storage", where);
      }
    }
    if (!header.all(SymbolTableMessage.class).isEmpty()) {
      throw new UnsupportedFeatureException("a group with a symbol table", where);
    }
    return header.all(LinkMessage.class);
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
