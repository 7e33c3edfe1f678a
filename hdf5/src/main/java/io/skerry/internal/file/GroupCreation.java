package io.skerry.internal.file;

import io.skerry.AttributeOrder;
import io.skerry.LinkOrder;
import io.skerry.NoSuchObjectException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.group.LinkTarget;
import java.util.Deque;
import java.util.Optional;

/** Creates groups. Every rank makes the same changes to its copy of the metadata. */
final class GroupCreation {
  private final NativeFile file;

  GroupCreation(NativeFile file) {
    this.file = file;
  }

  /** Creates the group at a path and the groups above it, unless they exist. */
  NativeGroup create(String path) {
    long address = allOf(Resolver.components(path));
    return new NativeGroup(file, Resolver.absolute(path), address);
  }

  /** Creates a group; the path must not be in use yet. */
  NativeGroup create(String path, LinkOrder order, AttributeOrder attributes) {
    long address = create(FreeName.at(file, path), order, attributes);
    return new NativeGroup(file, Resolver.absolute(path), address);
  }

  private long create(FreeName name, LinkOrder order, AttributeOrder attributes) {
    ObjectHeader header = file.tree().forms().group(order, attributes, file.collective().space());
    file.tree().addNew(header);
    name.link(new LinkTarget.Hard(header.address()));
    return header.address();
  }

  /**
   * Returns the address of the group at a path; missing groups are created.
   *
   * @throws NoSuchObjectException if an object on the path is not a group, or a soft link leads to
   *     no object
   * @throws io.skerry.exception.UnsupportedFeatureException if the path leads through an external
   *     link
   */
  long allOf(Deque<String> parts) {
    long address = file.tree().rootAddress();
    StringBuilder path = new StringBuilder();
    LocalWalk walk = new LocalWalk(file);
    for (String name : parts) {
      path.append('/').append(name);
      Optional<Long> child = walk.member(address, name);
      if (child.isPresent()) {
        address = child.get();
        ObjectKinds.requireGroup(file, path, address);
      } else {
        address =
            create(
                new FreeName(file, address, name), LinkOrder.UNTRACKED, AttributeOrder.UNTRACKED);
      }
    }
    return address;
  }
}
