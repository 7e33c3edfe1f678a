package io.skerry.integration.interop;

import io.skerry.integration.interop.ExpectedObject.Entry;
import io.skerry.integration.interop.ExpectedObject.ExpectedDataset;
import io.skerry.integration.interop.ExpectedObject.ExpectedGroup;
import io.skerry.integration.interop.ExpectedObject.ExpectedType;
import io.skerry.integration.interop.ExpectedObject.Hard;
import io.skerry.integration.random.RandomChoice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The expected objects by path. Hard links may form cycles. */
final class ExpectedTree {
  /**
   * The path of the group that contains the targets of references. A plan never changes these
   * targets after their creation.
   */
  static final String TARGETS = "/targets";

  private final ExpectedGroup root = new ExpectedGroup();

  /**
   * An object and a path of hard links to it.
   *
   * @param path an absolute path
   */
  record Found(String path, ExpectedObject object) {}

  ExpectedGroup root() {
    return root;
  }

  static String child(String group, String name) {
    return group.equals("/") ? "/" + name : group + "/" + name;
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  boolean has(String path) {
    return all().stream().anyMatch(f -> f.path().equals(path));
  }

  /** Returns the group at a path, and creates missing groups as the library does. */
  private ExpectedGroup group(String path) {
    ExpectedGroup at = root;
    for (String name : path.split("/")) {
      if (name.isEmpty()) {
        continue;
      }
      if (!at.links.containsKey(name)) {
        at.links.put(name, new Hard(new ExpectedGroup()));
      }
      at = (ExpectedGroup) ((Hard) at.link(name)).object();
    }
    return at;
  }

  void put(String path, Entry entry) {
    group(parent(path)).links.put(name(path), entry);
  }

  void remove(String path) {
    Entry unused = group(parent(path)).links.remove(name(path));
  }

  void move(String from, String to) {
    Entry entry = group(parent(from)).link(name(from));
    remove(from);
    put(to, entry);
  }

  ExpectedDataset dataset(String path) {
    return (ExpectedDataset) ((Hard) group(parent(path)).link(name(path))).object();
  }

  /** Returns each reachable object once, excluding the targets. */
  List<Found> all() {
    List<Found> found = new ArrayList<>();
    Set<ExpectedObject> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Found> open = new ArrayDeque<>(List.of(new Found("/", root)));
    seen.add(root);
    while (!open.isEmpty()) {
      Found next = open.removeFirst();
      found.add(next);
      if (next.object() instanceof ExpectedGroup group) {
        group.links.forEach((name, entry) -> {
          String path = child(next.path(), name);
          if (entry instanceof Hard(ExpectedObject object)
              && !path.equals(TARGETS)
              && seen.add(object)) {
            open.addLast(new Found(path, object));
          }
        });
      }
    }
    return found;
  }

  List<Found> groups() {
    return all().stream().filter(f -> f.object() instanceof ExpectedGroup).toList();
  }

  List<Found> datasets() {
    return all().stream().filter(f -> f.object() instanceof ExpectedDataset).toList();
  }

  List<Found> types() {
    return all().stream().filter(f -> f.object() instanceof ExpectedType).toList();
  }

  /** Returns the objects to which a plan may add attributes: groups and datasets. */
  List<Found> bearers() {
    return all().stream().filter(f -> !(f.object() instanceof ExpectedType)).toList();
  }

  /** Returns the path of a random link that may be removed; empty if there is none. */
  Optional<String> anyLink(RandomChoice draw) {
    List<String> paths = new ArrayList<>();
    for (Found group : groups()) {
      for (String name : ((ExpectedGroup) group.object()).links.keySet()) {
        String path = child(group.path(), name);
        if (!path.equals(TARGETS)) {
          paths.add(path);
        }
      }
    }
    return paths.isEmpty() ? Optional.empty() : Optional.of(draw.pick(paths));
  }

  /** Returns whether an object can be reached through a link. */
  boolean leadsTo(String link, ExpectedObject object) {
    Entry entry = group(parent(link)).link(name(link));
    Set<ExpectedObject> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    return entry instanceof Hard(ExpectedObject first) && leadsTo(first, object, seen);
  }

  private static boolean leadsTo(
      ExpectedObject from, ExpectedObject object, Set<ExpectedObject> seen) {
    return from == object
        || from instanceof ExpectedGroup group
            && seen.add(from)
            && group.links.values().stream()
                .anyMatch(
                    e -> e instanceof Hard(ExpectedObject next) && leadsTo(next, object, seen));
  }
}
