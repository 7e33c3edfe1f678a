package io.skerry.internal.file;

import io.skerry.Group;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredGroup;
import io.skerry.spi.StoredObject;
import java.util.Comparator;
import java.util.List;

/** A group of an HDF5 file. */
public final class NativeGroup implements StoredGroup {
  private final NativeFile file;
  private final ObjectPath path;
  private final long address;

  NativeGroup(NativeFile file, String path, long address) {
    this(file, ObjectPath.of(path), address);
  }

  NativeGroup(NativeFile file, ObjectPath path, long address) {
    this.file = file;
    this.path = path;
    this.address = address;
  }

  @Override
  public NativeFile file() {
    return file;
  }

  @Override
  public String path() {
    return path.toString();
  }

  @Override
  public ObjectPath location() {
    return path;
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public List<Group.Link> links() {
    List<LinkMessage> links = file.gate().exclusively(() -> file.tree().links(address));
    return links.stream()
        .map(NativeGroup::view)
        .sorted(Comparator.comparing(Group.Link::name))
        .toList();
  }

  @Override
  public StoredObject child(Group.Hard link) {
    return file.gate()
        .exclusively(() -> ObjectKinds.at(file, path.child(link.name()), link.address()));
  }

  @Override
  public Attributes attributes() {
    return new Attributes(file, path, address);
  }

  private static Group.Link view(LinkMessage link) {
    return switch (link.target()) {
      case LinkTarget.Hard(long target) -> new Group.Hard(link.name(), target);
      case LinkTarget.Soft(String target) -> new Group.Soft(link.name(), target);
      case LinkTarget.External(String other, String target) ->
          new Group.External(link.name(), other, target);
      case LinkTarget.UserDefined(int kind, _) -> new Group.Foreign(link.name(), kind);
    };
  }
}
