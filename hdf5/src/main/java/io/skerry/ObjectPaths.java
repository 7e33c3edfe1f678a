package io.skerry;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.object.LinkTarget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The path of every object that hard links lead to: the first on a depth-first walk that takes the
 * links of a group in the order stored, as the HDF5 library finds the name of an object that was
 * opened by its address.
 */
final class ObjectPaths {
  private final ObjectTree tree;
  private final Map<Long, Step> steps = new HashMap<>();

  /** The link that led to an object; whole paths of deep trees would take too much memory. */
  private record Step(long group, String name) {}

  private record Level(long group, Iterator<LinkMessage> links) {}

  private ObjectPaths(ObjectTree tree) {
    this.tree = tree;
  }

  static ObjectPaths of(ObjectTree tree) {
    ObjectPaths paths = new ObjectPaths(tree);
    paths.walk();
    return paths;
  }

  private void walk() {
    Deque<Level> open = new ArrayDeque<>();
    open.push(level(tree.rootAddress()));
    while (!open.isEmpty()) {
      Level level = open.peek();
      if (!level.links.hasNext()) {
        open.pop();
        continue;
      }
      LinkMessage link = level.links.next();
      if (link.target() instanceof LinkTarget.Hard(long address)
          && address != tree.rootAddress()
          && steps.putIfAbsent(address, new Step(level.group, link.name())) == null) {
        open.push(level(address));
      }
    }
  }

  /** A group that cannot be read has no members to name. */
  private Level level(long group) {
    try {
      return new Level(group, tree.linksInIndexOrder(group).iterator());
    } catch (FormatException | UnsupportedFeatureException e) {
      return new Level(group, List.<LinkMessage>of().iterator());
    }
  }

  /** The path of an object; empty if none leads to it. */
  Optional<String> path(long address) {
    if (address == tree.rootAddress()) {
      return Optional.of("/");
    }
    Deque<String> names = new ArrayDeque<>();
    long at = address;
    while (at != tree.rootAddress()) {
      Step step = steps.get(at);
      if (step == null) {
        return Optional.empty();
      }
      names.push(step.name);
      at = step.group;
    }
    return Optional.of("/" + String.join("/", names));
  }
}
