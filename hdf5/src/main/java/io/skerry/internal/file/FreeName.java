package io.skerry.internal.file;

import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.tree.GroupLinks;
import java.util.Deque;
import java.util.Optional;

/**
 * A name that no link in an existing group uses yet.
 *
 * @param group the address of the header of the group
 */
record FreeName(NativeFile file, long group, String name) {

  /**
   * Returns the name at a path; missing groups are created.
   *
   * @throws IllegalArgumentException if the path is that of the root group
   * @throws IllegalStateException if the name is taken
   * @throws io.skerry.NoSuchObjectException if an object above the name is not a group, or a soft
   *     link above it leads to no object
   * @throws io.skerry.exception.UnsupportedFeatureException if the path leads through an external
   *     link
   */
  static FreeName at(NativeFile file, String path) {
    Deque<String> parts = components(path);
    String name = parts.removeLast();
    long group = new GroupCreation(file).allOf(parts);
    if (file.tree().link(group, name).isPresent()) {
      throw taken(file, path);
    }
    return new FreeName(file, group, name);
  }

  /**
   * Checks that the name at a path is free; creates no groups.
   *
   * @throws IllegalArgumentException if the path is that of the root group
   * @throws IllegalStateException if the name is taken
   * @throws io.skerry.NoSuchObjectException if a soft link above the name leads to no object
   * @throws io.skerry.exception.UnsupportedFeatureException if the path leads through an external
   *     link
   */
  static void check(NativeFile file, String path) {
    Deque<String> parts = components(path);
    String name = parts.removeLast();
    LocalWalk walk = new LocalWalk(file);
    Optional<Long> group = Optional.of(file.tree().rootAddress());
    while (group.isPresent() && !parts.isEmpty()) {
      group = walk.member(group.get(), parts.removeFirst());
    }
    if (group.flatMap(above -> file.tree().link(above, name)).isPresent()) {
      throw taken(file, path);
    }
  }

  private static Deque<String> components(String path) {
    Deque<String> parts = Resolver.components(path);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a path must name something: path=" + path);
    }
    return parts;
  }

  private static IllegalStateException taken(NativeFile file, String path) {
    return new IllegalStateException(
        "the name is taken: path=" + Resolver.absolute(path) + " file=" + file.path());
  }

  /** Adds a link with this name. */
  void link(LinkTarget target) {
    new GroupLinks(file.tree(), group).add(name, target);
  }
}
