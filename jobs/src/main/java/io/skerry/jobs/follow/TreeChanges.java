package io.skerry.jobs.follow;

import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.jobs.report.Json;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The objects of a file with their extents and numbers of defined elements, and the differences
 * between two epochs.
 */
final class TreeChanges {
  /** The maximum nesting depth of groups; deeper groups are not visited. */
  private static final int MAX_DEPTH = 200;

  private Map<String, String> last = Map.of();

  /** The kind of a difference. */
  enum Kind {
    NEW("+"),
    CHANGED("~"),
    REMOVED("-");

    private final String sign;

    Kind(String sign) {
      this.sign = sign;
    }
  }

  /**
   * A difference between two epochs.
   *
   * @param path the path of the object
   * @param description the description of the object in the later epoch; in the earlier one if it
   *     was removed
   */
  record Change(Kind kind, String path, String description) {
    String line() {
      return "  %s %s  %s".formatted(kind.sign, path, description);
    }

    Json json() {
      return Json.object()
          .with("change", kind.name().toLowerCase(Locale.ROOT))
          .with("path", path)
          .with("object", description);
    }
  }

  /** Returns the differences from the file of the last call, in the order of the tree. */
  List<Change> next(H5File file) {
    Map<String, String> now = new LinkedHashMap<>();
    add(file.root(), 0, now, new HashSet<>());
    List<Change> changes = new ArrayList<>();
    now.forEach((path, description) -> {
      String before = last.get(path);
      if (before == null) {
        changes.add(new Change(Kind.NEW, path, description));
      } else if (!before.equals(description)) {
        changes.add(new Change(Kind.CHANGED, path, description));
      }
    });
    last.forEach((path, description) -> {
      if (!now.containsKey(path)) {
        changes.add(new Change(Kind.REMOVED, path, description));
      }
    });
    last = now;
    return changes;
  }

  private static void add(Group group, int depth, Map<String, String> to, Set<Long> visited) {
    to.put(group.path(), describe(group));
    if (depth > MAX_DEPTH || !visited.add(group.address())) {
      return;
    }
    for (Group.Link link : group.links()) {
      if (link instanceof Group.Hard hard) {
        H5Object object = group.child(hard);
        if (object instanceof Group inner) {
          add(inner, depth + 1, to, visited);
        } else {
          to.put(object.path(), describe(object));
        }
      }
    }
  }

  private static String describe(H5Object object) {
    String attributes = object.attributes().size() + " attributes";
    if (object instanceof Dataset dataset) {
      String what = dataset.isNull() ? "null" : dataset.shape() + " " + dataset.datatype();
      return dataset.isSparse()
          ? String.format(
              Locale.ROOT,
              "%s  %,d defined  %s",
              what,
              dataset.defined(Selection.all()).count(dataset.shape()),
              attributes)
          : what + "  " + attributes;
    }
    return (object instanceof Group ? "group" : "object") + "  " + attributes;
  }
}
