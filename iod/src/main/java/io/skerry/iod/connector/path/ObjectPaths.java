package io.skerry.iod.connector.path;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.Links;
import io.skerry.iod.object.model.ObjectKind;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The paths of all objects that hard links lead to: for each, the first path that a depth-first
 * traversal finds. The memory is proportional to the number of objects. Immutable.
 */
public final class ObjectPaths {
  private final Map<ObjectId, ObjectPath> paths = new HashMap<>();

  private ObjectPaths() {}

  /** A group whose links are being visited, and the links that are left to visit. */
  private record Visit(ObjectPath path, Deque<Links.Named> left) {}

  /** Returns the paths of a container. Groups whose links are damaged are skipped. Local. */
  public static ObjectPaths of(Values values) {
    ObjectPaths all = new ObjectPaths();
    all.walk(values);
    return all;
  }

  private void walk(Values values) {
    Deque<Visit> open = new ArrayDeque<>();
    enter(values, ObjectId.ROOT, ObjectPath.ROOT, open);
    while (!open.isEmpty()) {
      Visit visit = open.getLast();
      Optional<Links.Named> next = Optional.ofNullable(visit.left.pollFirst());
      if (next.isEmpty()) {
        open.removeLast();
      } else if (next.get().link() instanceof Link.Hard(ObjectId target)) {
        enter(values, target, visit.path.child(next.get().name()), open);
      }
    }
  }

  private void enter(Values values, ObjectId id, ObjectPath path, Deque<Visit> open) {
    if (paths.containsKey(id)) {
      return;
    }
    paths.put(id, path);
    open.addLast(new Visit(path, new ArrayDeque<>(links(values, id))));
  }

  private static List<Links.Named> links(Values values, ObjectId id) {
    try {
      return StoredObject.open(values, id).kind() == ObjectKind.GROUP
          ? all(new Links(id, values))
          : List.of();
    } catch (FormatException e) {
      // A damaged group has no members that a path could name; opening it reports the damage.
      return List.of();
    }
  }

  /** Returns all links of a group in the order of the bytes of their names. */
  public static List<Links.Named> all(Links links) {
    Page<Links.Named> page = links.page(Optional.empty(), PageLimit.DEFAULT);
    List<Links.Named> all = new ArrayList<>(page.items());
    while (!page.isLast()) {
      page = links.page(Optional.of(page.items().getLast().name()), PageLimit.DEFAULT);
      all.addAll(page.items());
    }
    return all;
  }

  /** Returns the number of groups, datasets, committed datatypes and maps. Does not fail. */
  public long count() {
    return paths.size();
  }

  /**
   * Returns the path of an object, shortened if it is long; empty if no hard link leads to it.
   * Local, thread-safe; does not fail.
   */
  public Optional<String> path(ObjectId id) {
    return Optional.ofNullable(paths.get(id)).map(ObjectPath::shown);
  }
}
