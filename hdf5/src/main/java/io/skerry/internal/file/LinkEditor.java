package io.skerry.internal.file;

import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.tree.GroupLinks;
import java.util.Deque;
import java.util.Optional;

/**
 * Adds and moves links; missing groups on the path of a new link are created. Every rank makes the
 * same changes to its copy of the metadata.
 */
public final class LinkEditor {
  private final NativeFile file;

  public LinkEditor(NativeFile file) {
    this.file = file;
  }

  /**
   * Checks that the name at a path is free.
   *
   * @throws IllegalStateException if the name is taken
   */
  public void checkFree(String path) {
    FreeName.check(file, path);
  }

  /** Adds the first hard link to a new object, without changing its reference count. */
  public void firstLink(String path, long address) {
    add(path, new LinkTarget.Hard(address));
  }

  /**
   * Adds a hard link to an object and increments its reference count: the object exists until its
   * last hard link is removed.
   */
  void hardLink(String path, String targetPath) {
    long target = Resolver.hardAddress(file, targetPath);
    add(path, new LinkTarget.Hard(target));
    file.tree().countReference(target, 1);
  }

  void softLink(String path, String targetPath) {
    add(path, new LinkTarget.Soft(targetPath));
  }

  void externalLink(String path, String targetFile, String targetPath) {
    add(path, new LinkTarget.External(targetFile, targetPath));
  }

  private void add(String path, LinkTarget target) {
    FreeName.at(file, path).link(target);
  }

  /**
   * Renames a link, or moves it to another group.
   *
   * @throws IllegalArgumentException if the new path leads to or through the object that is moved
   */
  void move(String from, String to) {
    Resolver.Found old = Resolver.link(file, from);
    if (old.link().target() instanceof LinkTarget.Hard(long moved) && leadsThrough(moved, to)) {
      throw new IllegalArgumentException(
          "an object cannot be moved into itself: from=" + from + " to=" + to);
    }
    FreeName name = FreeName.at(file, to);
    new GroupLinks(file.tree(), old.group()).remove(old.link().name());
    name.link(old.link().target());
  }

  /**
   * Returns true if the existing part of a path leads through an object, or if the last link of the
   * path is a hard link to it.
   */
  private boolean leadsThrough(long object, String path) {
    LocalWalk walk = new LocalWalk(file);
    Deque<String> above = Resolver.components(path);
    Optional<String> last = Optional.ofNullable(above.pollLast());
    Optional<Long> at = Optional.of(file.tree().rootAddress());
    for (String name : above) {
      at = at.flatMap(group -> walk.member(group, name));
    }
    return walk.hasVisited(object)
        || at.flatMap(group -> last.flatMap(name -> file.tree().link(group, name)))
            .map(LinkMessage::target)
            .filter(new LinkTarget.Hard(object)::equals)
            .isPresent();
  }
}
