package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.NoSuchObjectException;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.file.Resolver;
import io.skerry.internal.tree.GroupLinks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Collects the links of copied groups, and adds them to the copies of the groups. Local. */
final class CopiedLinks {
  private final Set<CopyOption> options;
  private final List<NewLink> links = new ArrayList<>();

  /** A link to be added to the group at the given address in the target. */
  private record NewLink(long group, LinkMessage link) {}

  CopiedLinks(Set<CopyOption> options) {
    this.options = options;
  }

  /**
   * Returns the links that the copy of a group will have, in stored order. If several links lead to
   * an object, this order determines the path under which it is copied. In a shallow copy, the
   * groups below the top group have no links.
   */
  List<LinkMessage> of(FoundObject group) {
    return group.depth() > 0 && options.contains(CopyOption.SHALLOW)
        ? List.of()
        : group.location().file().tree().links(group.location().address());
  }

  /**
   * Copies the members of a group, and collects the links to their copies. {@link #addTo} adds
   * these links to the copy of the group.
   *
   * @param copy the address of the copy of the group
   * @param members a function that copies a member of the group and returns the address of its copy
   */
  void copy(FoundObject group, long copy, ToLongFunction<FoundObject> members) {
    for (LinkMessage link : of(group)) {
      links.add(new NewLink(copy, copied(group, link, members)));
    }
  }

  private LinkMessage copied(
      FoundObject group, LinkMessage link, ToLongFunction<FoundObject> members) {
    Optional<ObjectLocation> object = followed(group, link);
    if (object.isEmpty()) {
      return link;
    }
    long copy = members.applyAsLong(group.member(object.get(), link.name()));
    return new LinkMessage(
        link.name(), link.creationOrder(), link.characters(), new LinkTarget.Hard(copy));
  }

  /**
   * Returns the object to which a link leads if the copied link is a hard link to the copy of that
   * object; empty if the link is copied unchanged.
   */
  private Optional<ObjectLocation> followed(FoundObject group, LinkMessage link) {
    boolean follows =
        switch (link.target()) {
          case LinkTarget.Hard _ -> true;
          case LinkTarget.Soft _ -> options.contains(CopyOption.EXPAND_SOFT);
          case LinkTarget.External _ -> options.contains(CopyOption.EXPAND_EXTERNAL);
          case LinkTarget.UserDefined _ -> false;
        };
    if (!follows) {
      return Optional.empty();
    }
    NativeFile file = group.location().file();
    if (link.target() instanceof LinkTarget.Hard(long address)) {
      return Optional.of(new ObjectLocation(file, address));
    }
    try {
      return Optional.of(new Resolver(file).locate(group.location().address(), link.name()));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    }
  }

  /**
   * Adds all collected links to the groups of the target. Called before attributes are added, so
   * that links precede attributes in the object headers.
   */
  void addTo(NativeFile target) {
    for (NewLink link : links) {
      new GroupLinks(target.tree(), link.group).add(link.link);
    }
  }
}
