package io.skerry.iod.connector.path;

import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.ObjectKind;
import io.skerry.iod.object.model.StoredObject;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Follows the hard and soft links of one path to the group in which an object or a link is created.
 * An instance is used for one path. Not thread-safe.
 */
final class NewPath {
  private final PathResolver resolver;
  private final Set<ObjectId> visited = new HashSet<>();
  private int followed;

  NewPath(PathResolver resolver) {
    this.resolver = resolver;
  }

  /**
   * Returns the object to which a link of a group leads; empty if the group has no such link.
   *
   * @throws io.skerry.NoSuchObjectException if a soft link leads to no object, or too many soft
   *     links have been followed
   */
  Optional<ObjectId> member(ObjectId group, String name) {
    Optional<ObjectId> found =
        resolver
            .link(group, name)
            .map(link ->
                switch (link) {
                  case Link.Hard(ObjectId target) -> target;
                  case Link.Soft(String target) -> target(group, name, target);
                });
    found.ifPresent(visited::add);
    return found;
  }

  private ObjectId target(ObjectId group, String link, String target) {
    followed++;
    if (followed > PathResolver.LINK_LIMIT) {
      throw resolver.missing("more than " + PathResolver.LINK_LIMIT + " links to follow", link);
    }
    ObjectId at = target.startsWith("/") ? ObjectId.ROOT : group;
    for (String name : PathResolver.names(target)) {
      at =
          member(at, name)
              .orElseThrow(
                  () -> resolver.missing("a soft link leads to no object: target=" + target, link));
    }
    return at;
  }

  /**
   * Checks that an object on the path is a group.
   *
   * @throws io.skerry.NoSuchObjectException if it is not
   */
  void requireGroup(Values values, ObjectId id, CharSequence path) {
    if (StoredObject.open(values, id).kind() != ObjectKind.GROUP) {
      throw resolver.missing("not a group", path.toString());
    }
  }

  /** Returns whether the links followed so far led to or through an object. */
  boolean hasVisited(ObjectId object) {
    return visited.contains(object);
  }
}
