package io.skerry.internal.copy;

import io.skerry.internal.copy.header.CopyTarget;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.tree.HeaderRemoval;
import io.skerry.internal.tree.ObjectTree;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects found by one copy operation, with the addresses of their copies and the number of
 * links to each copy. Local.
 */
final class CopiedObjects {
  private final CopyTarget target;
  private final Map<ObjectLocation, Long> addresses = new LinkedHashMap<>();
  private final Map<Long, Long> uses = new HashMap<>();

  CopiedObjects(CopyTarget target) {
    this.target = target;
  }

  /** Returns all objects found so far, with the addresses of the object headers of their copies. */
  Map<ObjectLocation, Long> addresses() {
    return addresses;
  }

  /** Returns the address of the copy of an object; empty if the object was not copied. */
  Optional<Long> copyOf(ObjectLocation object) {
    return Optional.ofNullable(addresses.get(object));
  }

  /** Records the address of a copy; if the current step fails, the record is removed. */
  void add(ObjectLocation object, long copy) {
    target.file().collective().log().put(addresses, object, copy);
  }

  /** Records an existing object, which has the given number of links, as the copy of an object. */
  void add(ObjectLocation object, long copy, long links) {
    add(object, copy);
    uses.put(copy, links);
  }

  /** Counts one more link to a copy and returns the address of the copy. */
  long linked(long copy) {
    uses.merge(copy, 1L, Long::sum);
    return copy;
  }

  /**
   * Returns the copies to which no link leads: those of objects that were found only through
   * references.
   */
  List<Long> unlinked() {
    return addresses.values().stream().filter(copy -> !uses.containsKey(copy)).toList();
  }

  /** Stores the number of links in the header of each copy. */
  void storeLinkCounts() {
    ObjectTree tree = target.file().tree();
    uses.forEach((copy, count) -> tree.add(tree.header(copy).withReferences(count)));
  }

  /**
   * Deletes all copies except the root group, after a failure. In a copy of all objects, the root
   * group may keep links to the deleted copies, so the target must be discarded.
   */
  void delete() {
    ObjectTree tree = target.file().tree();
    HeaderRemoval headers = new HeaderRemoval(tree, target.file().collective().space());
    for (long copy : addresses.values()) {
      tree.datasets().find(copy).ifPresent(target.file().collective().datasets()::drop);
      if (copy != tree.rootAddress()) {
        headers.remove(tree.header(copy));
      }
    }
  }
}
