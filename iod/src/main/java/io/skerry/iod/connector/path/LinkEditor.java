package io.skerry.iod.connector.path;

import io.skerry.AttributeOrder;
import io.skerry.LinkOrder;
import io.skerry.iod.connector.store.Step;
import io.skerry.iod.encoding.property.CreationLists;
import io.skerry.iod.encoding.property.CreationOrder;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.LinkWriter;
import io.skerry.iod.object.model.StoredObject;
import java.util.Deque;
import java.util.Optional;

/**
 * Creates, moves and removes links within a step; missing groups on the path of a new link are
 * created. Methods are local and throw the exceptions of {@link PathResolver} and of {@link
 * io.skerry.iod.object.ValueChanges}.
 *
 * @param step the step
 * @param file the path of the file, for messages
 */
public record LinkEditor(Step step, String file) {
  private static final String ROOT = "the path of a new object must have a name: path=";

  private PathResolver resolver() {
    return new PathResolver(step.changes(), file, step.ranks().communicator().rankSet());
  }

  private LinkWriter writer(ObjectId group) {
    return new LinkWriter(group, step.changes(), step.deletion());
  }

  /** Returns the group at a path; it and the groups above it are created if they are missing. */
  public StoredObject group(String path) {
    return StoredObject.open(step.changes(), groups(PathResolver.names(path)));
  }

  /**
   * Creates a group.
   *
   * @throws IllegalStateException if the name is taken
   */
  public StoredObject newGroup(String path, LinkOrder links, AttributeOrder attributes) {
    FreeName name = free(path);
    StoredObject group =
        step.creator()
            .group(CreationLists.group(CreationOrder.of(links), CreationOrder.of(attributes)));
    writer(name.group).put(name.name, new Link.Hard(group.id()));
    return group;
  }

  private ObjectId groups(Deque<String> names) {
    NewPath walk = new NewPath(resolver());
    StringBuilder path = new StringBuilder();
    ObjectId at = ObjectId.ROOT;
    for (String name : names) {
      path.append('/').append(name);
      Optional<ObjectId> child = walk.member(at, name);
      if (child.isPresent()) {
        at = child.get();
        walk.requireGroup(step.changes(), at, path);
      } else {
        StoredObject created =
            step.creator()
                .group(CreationLists.group(CreationOrder.UNTRACKED, CreationOrder.UNTRACKED));
        writer(at).put(name, new Link.Hard(created.id()));
        at = created.id();
      }
    }
    return at;
  }

  /** A name that is free in a group. */
  private record FreeName(ObjectId group, String name) {}

  private FreeName free(String path) {
    Deque<String> names = PathResolver.names(path);
    if (names.isEmpty()) {
      throw new IllegalArgumentException(ROOT + path);
    }
    String name = names.removeLast();
    ObjectId group = groups(names);
    if (resolver().link(group, name).isPresent()) {
      throw new IllegalStateException(
          "the name is taken: path=" + PathResolver.absolute(path) + " file=" + file);
    }
    return new FreeName(group, name);
  }

  /**
   * Creates a link.
   *
   * @throws IllegalStateException if the name is taken
   * @throws IllegalArgumentException if the path has no name, or a name contains a NUL
   */
  public void add(String path, Link link) {
    FreeName name = free(path);
    writer(name.group).put(name.name, link);
  }

  /**
   * Creates a hard link to an existing object.
   *
   * @throws IllegalStateException if the name is taken
   */
  public void hardLink(String path, String targetPath) {
    add(path, new Link.Hard(resolver().hard(targetPath)));
  }

  /** Removes a link, and its object if no other hard link leads to the object. */
  public void unlink(String path) {
    PathResolver.Found found = resolver().link(path);
    writer(found.group()).remove(found.name());
  }

  /**
   * Renames a link, or moves it to another group.
   *
   * @throws IllegalArgumentException if the new path leads to or through the object that is moved
   * @throws IllegalStateException if the new name is taken
   */
  public void move(String from, String to) {
    PathResolver.Found old = resolver().link(from);
    if (old.link() instanceof Link.Hard(ObjectId moved) && leadsThrough(moved, to)) {
      throw new IllegalArgumentException(
          "an object cannot be moved into itself: from=" + from + " to=" + to);
    }
    // The new link is added first, because the object is removed with its last link.
    add(to, old.link());
    writer(old.group()).remove(old.name());
  }

  /**
   * Returns whether the existing part of a path leads through an object, or its last link is a hard
   * link to it.
   */
  private boolean leadsThrough(ObjectId object, String path) {
    PathResolver resolver = resolver();
    NewPath walk = new NewPath(resolver);
    Deque<String> above = PathResolver.names(path);
    Optional<String> last = Optional.ofNullable(above.pollLast());
    Optional<ObjectId> at = Optional.of(ObjectId.ROOT);
    for (String name : above) {
      at = at.flatMap(group -> walk.member(group, name));
    }
    return walk.hasVisited(object)
        || at.flatMap(group -> last.flatMap(name -> resolver.link(group, name)))
            .filter(new Link.Hard(object)::equals)
            .isPresent();
  }
}
