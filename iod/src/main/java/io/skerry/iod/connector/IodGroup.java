package io.skerry.iod.connector;

import io.skerry.Group;
import io.skerry.iod.connector.path.ObjectPaths;
import io.skerry.iod.connector.value.ObjectAddress;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.Links;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredFile;
import io.skerry.spi.StoredGroup;
import io.skerry.spi.StoredObject;
import java.util.Comparator;
import java.util.List;

/**
 * A group of a container.
 *
 * @param owner the file
 * @param location the path with which the group was opened
 * @param id the identifier
 */
record IodGroup(IodFile owner, ObjectPath location, ObjectId id) implements StoredGroup {
  @Override
  public StoredFile file() {
    return owner;
  }

  @Override
  public String path() {
    return location.toString();
  }

  @Override
  public long address() {
    return ObjectAddress.of(id);
  }

  @Override
  public List<Group.Link> links() {
    List<Links.Named> links =
        owner.session().look(values -> ObjectPaths.all(new Links(id, values)));
    return links.stream()
        .map(IodGroup::view)
        .sorted(Comparator.comparing(Group.Link::name))
        .toList();
  }

  private static Group.Link view(Links.Named named) {
    return switch (named.link()) {
      case Link.Hard(ObjectId target) -> new Group.Hard(named.name(), ObjectAddress.of(target));
      case Link.Soft(String target) -> new Group.Soft(named.name(), target);
    };
  }

  @Override
  public StoredObject child(Group.Hard link) {
    ObjectId target = ObjectAddress.decode(link.address());
    return owner.session().look(values -> owner.open(values, location.child(link.name()), target));
  }

  @Override
  public StoredAttributes attributes() {
    return new IodAttributes(owner, location, id);
  }
}
