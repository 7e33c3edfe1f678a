package io.skerry.internal.tree;

import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The path of every object to which hard links lead: the first path in a depth-first traversal.
 * Links that are stored in the file are visited in the order in which the HDF5 library visits them
 * when it searches for the name of an object that was opened by its address.
 */
public final class ObjectPaths {
  private final ObjectTree tree;
  private final Map<Long, ObjectPath> paths = new HashMap<>();

  private record Level(ObjectPath group, Iterator<LinkMessage> links) {}

  private ObjectPaths(ObjectTree tree) {
    this.tree = tree;
  }

  public static ObjectPaths of(ObjectTree tree) {
    ObjectPaths paths = new ObjectPaths(tree);
    paths.walk();
    return paths;
  }

  private void walk() {
    Deque<Level> open = new ArrayDeque<>();
    paths.put(tree.rootAddress(), ObjectPath.ROOT);
    open.push(level(tree.rootAddress(), ObjectPath.ROOT));
    while (!open.isEmpty()) {
      Level level = open.peek();
      if (!level.links.hasNext()) {
        open.pop();
        continue;
      }
      LinkMessage link = level.links.next();
      if (link.target() instanceof LinkTarget.Hard(long address) && !paths.containsKey(address)) {
        ObjectPath member = level.group.child(link.name());
        paths.put(address, member);
        open.push(level(address, member));
      }
    }
  }

  /**
   * Returns the links of a group; none if its metadata is damaged, uses an unsupported feature or
   * does not fit into memory.
   */
  private Level level(long group, ObjectPath path) {
    try {
      return new Level(path, tree.linksInIndexOrder(group).iterator());
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException e) {
      return new Level(path, List.<LinkMessage>of().iterator());
    }
  }

  /** Returns the path of an object, shortened if it is long; empty if no hard link leads to it. */
  public Optional<String> path(long address) {
    return Optional.ofNullable(paths.get(address)).map(ObjectPath::shown);
  }
}
