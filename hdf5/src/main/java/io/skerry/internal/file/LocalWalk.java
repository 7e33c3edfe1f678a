package io.skerry.internal.file;

import io.skerry.NoSuchObjectException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Follows the hard and soft links of one file to the group in which an object or a link is created.
 * External links are refused, because the new object would be in another file. An instance is used
 * for one path.
 */
final class LocalWalk {
  private final NativeFile file;
  private final Set<Long> visited = new HashSet<>();
  private int linksFollowed;

  LocalWalk(NativeFile file) {
    this.file = file;
  }

  /**
   * Returns the header address of the object to which a link of a group leads; empty if the group
   * has no link with the name.
   *
   * @throws NoSuchObjectException if a soft link leads to no object, or if this instance has
   *     followed more than {@link Resolver#LINK_LIMIT} soft links
   * @throws UnsupportedFeatureException if an external or user-defined link must be followed
   */
  Optional<Long> member(long group, String name) {
    Optional<Long> found =
        file.tree()
            .link(group, name)
            .map(link ->
                switch (link.target()) {
                  case LinkTarget.Hard(long address) -> address;
                  case LinkTarget.Soft(String target) -> target(group, target, link);
                  case LinkTarget.External _, LinkTarget.UserDefined _ ->
                      throw new UnsupportedFeatureException(
                          "a path through an external or user-defined link, where the object must"
                              + " be in the same file",
                          name);
                });
    found.ifPresent(visited::add);
    return found;
  }

  /** Returns whether the links followed so far led to or through the object at an address. */
  boolean hasVisited(long address) {
    return visited.contains(address);
  }

  private long target(long group, String target, LinkMessage link) {
    if (++linksFollowed > Resolver.LINK_LIMIT) {
      throw missing("more than " + Resolver.LINK_LIMIT + " links to follow", link);
    }
    long address = target.startsWith("/") ? file.tree().rootAddress() : group;
    for (String name : Resolver.components(target)) {
      address =
          member(address, name)
              .orElseThrow(() -> missing("a soft link leads to no object: target=" + target, link));
    }
    return address;
  }

  private NoSuchObjectException missing(String what, LinkMessage link) {
    return Resolver.missing(file, what, link.name());
  }
}
